import { eventsAfter, newestPlace } from "../../shared/following/event-follower.js";
import { onPress } from "../../shared/forms/form.js";
import { keepingFocus } from "../../shared/page/focus.js";
import { firstRows, KeptPlace } from "../../shared/page/kept-place.js";
import { clone, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";
import { count } from "../../shared/words/numbers.js";
import { all } from "../../shared/api/api.js";
import { actRow, daySections, stepRows } from "./act-rows.js";
import { actsOf } from "./acts.js";
import { EventFilters } from "./event-filters.js";
import { offerExport, offerTrail } from "./event-export.js";

const pageSize = 100;
/** The most new events kept: a page that has been open for days starts again with the newest events. */
const maximumArrived = 1_000;
/** The most events of a release that are shown under its row. */
const maximumSteps = 2_000;

/**
 * The organization's events, newest first, as acts. After the first load, each answer brings the events after the
 * newest one: none is missed or shown twice. New ones wait for a button while the user reads further down.
 */
export class EventList {
    #main;
    #session;
    #filters;
    #turn = 0;
    #searching = new Newest();
    #place;
    #asking = new AbortController();
    #events = [];
    #waiting = [];
    #older = null;
    #arrived = 0;
    #opened = new Set();

    constructor(main, session) {
        this.#main = main;
        this.#session = session;
        this.#filters = new EventFilters(part(main, "filters"), session, () => this.show());
        this.#place = new KeptPlace(part(main, "list"), () => this.#events.length);
        onPress(part(main, "more"), () => this.#addOlder(), (error) => this.#failed(error));
        part(main, "waiting").addEventListener("click", () => this.#showWaiting());
        offerExport(main, session, this.#filters);
        offerTrail(main, session);
    }

    /** Loads the newest events, then follows. Earlier requests are cancelled, failed ones retried. */
    show() {
        return this.#searching.ask(() => this.#load(), {
            answered: () => (part(this.#main, "problem").hidden = true),
            failed: (error) => this.#failed(error),
        });
    }

    async #load() {
        const turn = ++this.#turn;
        this.#asking.abort();
        this.#asking = new AbortController();
        // The newest position, whatever the filters: later events come after it.
        const newest = await newestPlace(this.#session.api, this.#asking.signal);
        const { items, next } = await firstRows((page) => this.#ask(page), pageSize, this.#place.rows);
        if (turn !== this.#turn) return;
        this.#events = items;
        this.#waiting = [];
        this.#arrived = 0;
        this.#opened.clear();
        this.#older = next;
        part(this.#main, "loading").hidden = true;
        this.#draw();
        this.#place.restore();
        if (this.#filters.isOpen) this.#follow(turn, Math.max(newest, items[0]?.position ?? 0));
        else this.#say("No new events: the chosen time has passed");
    }

    async #follow(turn, place) {
        const { since, until, ...filters } = this.#query;
        const news = eventsAfter(this.#session.api, place, { filters, signal: this.#asking.signal });
        this.#say("Updating live");
        try {
            for await (const { events, problem } of news) {
                if (turn !== this.#turn) return;
                this.#say(problem ? "Waymark does not answer. Retrying." : "Updating live");
                this.#arrive(events);
                if (this.#arrived > maximumArrived && !this.#isReading) return this.show();
            }
        } catch (error) {
            if (turn === this.#turn) this.#failed(error);
        }
    }

    #arrive(events) {
        if (!events.length) return;
        this.#arrived += events.length;
        this.#waiting.unshift(...events.reverse());
        if (!this.#isReading) return this.#showWaiting();
        part(this.#main, "waiting").hidden = false;
        part(this.#main, "waiting").textContent = `Show ${count(this.#waiting.length, "new event")}`;
    }

    /** Whether new rows would move something that is being read: the page is scrolled, or a row is open or focused. */
    get #isReading() {
        const list = part(this.#main, "list");
        return list.getBoundingClientRect().top < 0 || list.contains(document.activeElement) || this.#opened.size > 0;
    }

    #showWaiting() {
        const button = part(this.#main, "waiting");
        const wasPressed = button === document.activeElement;
        const newest = this.#events[0]?.position ?? 0;
        this.#events.unshift(...this.#waiting.splice(0));
        button.hidden = true;
        this.#draw(newest);
        if (!wasPressed) return;
        window.scrollTo({ top: 0 });
        const controls = [...part(this.#main, "list").querySelectorAll("a, button")];
        controls.find((each) => each.checkVisibility())?.focus({ preventScroll: true });
    }

    /** Draws the acts; those with events after `newest` are marked as new. */
    #draw(newest = Infinity) {
        const acts = actsOf(this.#events);
        const row = (act) =>
            actRow(act, {
                organization: this.#session.organization.slug,
                isNew: act.events[0].position > newest,
                isOpen: this.#opened.has(act.key),
                hasEntries: this.#opensEntry !== null,
                unfolds: (...shown) => this.#unfold(...shown),
                folded: () => this.#opened.delete(act.key),
                filterByAuthor: ({ name }) => this.#filters.set({ actor: name }),
            });
        const list = part(this.#main, "list");
        keepingFocus(list, () => list.replaceChildren(...daySections(acts, row)));
        this.#filters.offerPeople(this.#events);
        part(this.#main, "more").hidden = !this.#older;
        part(this.#main, "nothing-found").hidden = acts.length > 0;
    }

    async #unfold(act, steps) {
        this.#opened.add(act.key);
        const { organization } = this.#session;
        const show = (events) => steps.replaceChildren(...stepRows(events, organization.slug, this.#opensEntry));
        show(act.events);
        const [{ act: bulk }] = act.events;
        if (!bulk) return;
        try {
            const query = { act: bulk, sort: "newest" };
            const events = await all(this.#session.api, "/events", { query, limit: maximumSteps });
            show(events);
            if (events.length >= maximumSteps) steps.append(clone("act-cut"));
        } catch (error) {
            this.#failed(error);
        }
    }

    get #opensEntry() {
        if (!this.#session.can("listAuditEntries")) return null;
        return async (event) => (await import("./event-entry.js")).openEntry(event, this.#session.api);
    }

    /** Without a filter by kind, a release of 500 domains is only its own few events. */
    get #query() {
        const { query } = this.#filters;
        return query.kind ? query : { ...query, grouped: true };
    }

    async #ask(page) {
        const query = { sort: "newest", ...this.#query, ...page };
        return (await this.#session.api.get("/events", { query, signal: this.#asking.signal })).body;
    }

    async #addOlder() {
        const turn = this.#turn;
        const body = await this.#ask({ limit: pageSize, cursor: this.#older });
        if (turn !== this.#turn) return;
        this.#events.push(...body.items);
        this.#older = body.next;
        this.#draw();
        this.#place.keep();
    }

    #say(text) {
        const following = part(this.#main, "following");
        following.hidden = false;
        if (following.textContent !== text) following.textContent = text;
    }

    #failed(error) {
        part(this.#main, "following").hidden = part(this.#main, "loading").hidden = true;
        const problem = part(this.#main, "problem");
        problem.textContent = this.#filters.words(error);
        problem.hidden = false;
    }
}
