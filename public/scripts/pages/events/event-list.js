import { eventsAfter, newestPlace } from "../../shared/following/event-follower.js";
import { onPress } from "../../shared/forms/form.js";
import { firstRows, KeptPlace } from "../../shared/page/kept-place.js";
import { afterPause } from "../../shared/following/later.js";
import { showMoment } from "../../shared/times/moments.js";
import { words } from "../../shared/api/problem.js";
import { clone, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";
import { eventSubject } from "./event-subject.js";
import { eventNote, eventTone, eventWords, things } from "./event-words.js";

const pageSize = 50;
/** The most rows kept: a page that has been open for days starts again with the newest events. */
const maximumRows = 1_000;

/**
 * The organization's events, newest first. After the first load, each answer brings the events after the newest one
 * shown: none is missed or shown twice. The filters are in the page's address.
 */
export class EventList {
    #main;
    #session;
    #filters;
    #turn = 0;
    #searching = new Newest();
    #place;
    #asking = new AbortController();
    #older = null;
    #newest = 0;

    constructor(main, session) {
        this.#main = main;
        this.#session = session;
        this.#filters = part(main, "filters");
        this.#place = new KeptPlace(part(main, "list"));
        part(main, "kinds").append(...Object.entries(things).map(([thing, name]) => new Option(name, thing)));
        this.#readAddress();
        this.#listen();
    }

    /** Loads the newest events, then follows. Earlier requests are cancelled. */
    async show() {
        const turn = ++this.#turn;
        this.#asking.abort();
        this.#asking = new AbortController();
        // The newest position, whatever the filters: later events come after it.
        const newest = await newestPlace(this.#session.api, this.#asking.signal);
        const ask = (page) => this.#ask({ sort: "newest", ...page });
        const { items, next } = await firstRows(ask, pageSize, this.#place.rows);
        if (turn !== this.#turn) return;
        this.#newest = Math.max(newest, items[0]?.position ?? 0);
        part(this.#main, "list").replaceChildren(...items.map((event) => this.#row(event)));
        this.#showOlder(next);
        part(this.#main, "loading").hidden = true;
        this.#place.restore();
        this.#follow(turn);
    }

    async #follow(turn) {
        const news = eventsAfter(this.#session.api, this.#newest, {
            filters: this.#values(),
            signal: this.#asking.signal,
        });
        this.#say("Updating live");
        try {
            for await (const { events, problem } of news) {
                if (turn !== this.#turn) return;
                this.#prepend(events);
                this.#say(problem ? "Waymark does not answer. Retrying." : "Updating live");
                if (part(this.#main, "list").childElementCount > maximumRows) return this.#showLogged();
            }
        } catch (error) {
            if (turn === this.#turn) this.#failed(error);
        }
    }

    #prepend(events) {
        if (!events.length) return;
        part(this.#main, "list").prepend(...events.reverse().map((event) => this.#row(event, { isNew: true })));
        this.#showEmptiness();
    }

    async #ask(query) {
        const given = { ...this.#values(), ...query };
        return (await this.#session.api.get("/events", { query: given, signal: this.#asking.signal })).body;
    }

    #values() {
        return Object.fromEntries([...new FormData(this.#filters)].map(([name, value]) => [name, value.trim()]));
    }

    #row(event, { isNew = false } = {}) {
        const { name, address } = eventSubject(event, this.#session.organization.slug);
        const row = clone("event-row", {
            what: eventWords(event),
            note: eventNote(event),
            actor: event.actor.name === "waymark" ? "Waymark" : event.actor.name,
            subject: address ? null : name,
            about: address ? name : null,
        });
        row.value = event.position;
        row.dataset.tone = eventTone(event);
        row.classList.toggle("is-new", isNew);
        if (address) part(row, "about").href = address;
        showMoment(part(row, "at"), event.at);
        return row;
    }

    #showOlder(next) {
        this.#older = next;
        part(this.#main, "more").hidden = !next;
        this.#showEmptiness();
    }

    async #appendOlder() {
        const turn = this.#turn;
        const body = await this.#ask({ sort: "newest", limit: pageSize, cursor: this.#older });
        if (turn !== this.#turn) return;
        part(this.#main, "list").append(...body.items.map((event) => this.#row(event)));
        this.#showOlder(body.next);
        this.#place.keep();
    }

    #showEmptiness() {
        part(this.#main, "nothing-found").hidden = part(this.#main, "list").childElementCount > 0;
    }

    #listen() {
        this.#filters.addEventListener("submit", (event) => event.preventDefault());
        this.#filters.addEventListener("input", afterPause(250, () => this.#changed()));
        onPress(part(this.#main, "more"), () => this.#appendOlder(), (error) => this.#failed(error));
    }

    #changed() {
        const address = new URL(location.href);
        for (const [name, value] of Object.entries(this.#values())) {
            if (value) address.searchParams.set(name, value);
            else address.searchParams.delete(name);
        }
        history.replaceState(null, "", address);
        return this.#showLogged();
    }

    #readAddress() {
        const asked = new URLSearchParams(location.search);
        for (const control of this.#filters.elements) control.value = asked.get(control.name) ?? "";
    }

    #showLogged() {
        return this.#searching.ask(() => this.show(), {
            answered: () => (part(this.#main, "problem").hidden = true),
            failed: (error) => this.#failed(error),
        });
    }

    #say(text) {
        const following = part(this.#main, "following");
        following.hidden = false;
        if (following.textContent !== text) following.textContent = text;
    }

    #failed(error) {
        part(this.#main, "following").hidden = true;
        const problem = part(this.#main, "problem");
        problem.textContent = words(error);
        problem.hidden = false;
    }
}
