import { afterPause } from "../../shared/following/later.js";
import { Newest } from "../../shared/following/newest.js";
import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";
import { kindsOf, offerKinds } from "./event-kinds.js";

const hour = 3_600_000;
const spans = { "1h": hour, "24h": 24 * hour, "7d": 7 * 24 * hour, "30d": 30 * 24 * hour };
const names = ["actor", "host", "kind", "time", "since", "until"];
const suggestions = 8;

/** The filters of the events: a form whose values are in the page's address. Calls `changed` after a change. */
export class EventFilters {
    #form;
    #api;
    #people = new Set();
    #searching = new Newest();

    constructor(form, { api }, changed) {
        this.#form = form;
        this.#api = api;
        offerKinds(part(form, "kinds"));
        this.#read();
        form.addEventListener("submit", (event) => event.preventDefault());
        form.addEventListener("input", ({ target }) => {
            if (target.name === "host") this.#suggestHosts();
            this.#show();
        });
        form.addEventListener("input", afterPause(250, () => this.#changed(changed)));
        part(form, "clear").addEventListener("click", () => {
            this.set(Object.fromEntries(names.map((name) => [name, ""])));
            form.elements.actor.focus();
        });
    }

    /** Sets some values, as if the user had typed them. */
    set(values) {
        for (const [name, value] of Object.entries(values)) this.#form.elements[name].value = value;
        this.#form.dispatchEvent(new Event("input", { bubbles: true }));
    }

    /** The parameters of the API. */
    get query() {
        const { actor, host, kind, time, since, until } = this.#values();
        return { actor, host, kind: kindsOf(kind), ...timesOf(time, since, until) };
    }

    /** Whether new events can match. */
    get isOpen() {
        const { until } = this.query;
        return !until || new Date(until) > new Date();
    }

    get isEmpty() {
        return !Object.values(this.#values()).some(Boolean);
    }

    /** The words for a refused request: only a host that is not yet complete can be refused. */
    words(error) {
        const isHost = error.code === "invalid_parameter" && this.query.host;
        return isHost ? "Enter the complete host, such as www.example.com." : words(error);
    }

    /** Suggests the authors of these events. */
    offerPeople(events) {
        for (const { actor } of events) {
            if (this.#people.has(actor.name)) continue;
            this.#people.add(actor.name);
            part(this.#form, "people").append(new Option("", actor.name));
        }
    }

    #suggestHosts() {
        const q = this.#form.elements.host.value.trim();
        if (!q) return this.#searching.stop();
        this.#searching.ask((signal) => this.#api.get("/domains", { query: { q, limit: suggestions }, signal }), {
            answered: ({ body }) =>
                part(this.#form, "hosts").replaceChildren(...body.items.map(({ host }) => new Option("", host))),
            failed: () => {},
        });
    }

    #values() {
        return Object.fromEntries(names.map((name) => [name, this.#form.elements[name].value.trim()]));
    }

    #changed(changed) {
        const address = new URL(location.href);
        for (const [name, value] of Object.entries(this.#values())) {
            if (value) address.searchParams.set(name, value);
            else address.searchParams.delete(name);
        }
        if (address.href === location.href) return;
        history.replaceState(null, "", address);
        changed();
    }

    #read() {
        const asked = new URLSearchParams(location.search);
        for (const name of names) this.#form.elements[name].value = asked.get(name) ?? "";
        this.#show();
    }

    #show() {
        part(this.#form, "between").hidden = this.#form.elements.time.value !== "between";
        part(this.#form, "clear").hidden = this.isEmpty;
    }
}

function timesOf(time, since, until) {
    if (spans[time]) return { since: toTheSecond(new Date(Date.now() - spans[time])) };
    return time === "between" ? { since: dayStart(since), until: dayStart(until, 1) } : {};
}

/** The beginning of a day in the user's time zone, or of a later day. */
function dayStart(date, later = 0) {
    const [year, month, day] = date.split("-").map(Number);
    return date ? toTheSecond(new Date(year, month - 1, day + later)) : "";
}

/** RFC 3339, as the API takes it. */
function toTheSecond(date) {
    return date.toISOString().replace(/\.\d+/, "");
}
