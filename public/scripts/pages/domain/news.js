import { eventsAfter, newestPlace } from "../../shared/following/event-follower.js";
import { pause } from "../../shared/following/later.js";
import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";

/** The parts of the page that change with an event about a thing. */
const concerned = {
    publication: ["head", "pending", "publications"],
    version: ["versions", "pending"],
    release: ["pending"],
    withdrawal: ["head", "pending"],
    domain: ["head", "pending", "schedules"],
    draft: ["head", "draft"],
    rule: ["head", "draft"],
    test: ["tests"],
    tests: ["tests"],
    schedule: ["schedules"],
    run: ["schedules"],
    freeze: ["head", "pending", "schedules"],
    sink: ["serving"],
};

/** These events change the live file, so all of the page is updated. */
const moving = ["publication.live", "withdrawal.withdrawn", "domain.verified", "alias.live", "alias.ended"];

const firstRetry = 1_000;
const longestRetry = 30_000;

/**
 * Keeps the parts of a domain's page up to date. It follows the events of the domain, and of the schedules, freezes and
 * releases that concern it; for an alias, its own events and those of its domain. A part is loaded and followed from its
 * first `show`.
 *
 * Failed requests are retried; meanwhile the page says that it may be out of date.
 */
export class DomainNews {
    #page;
    /** The functions that update the parts. */
    #parts = {};
    #filters;
    #concerns;
    #due = new Set();
    #following = new AbortController();

    constructor(page) {
        const { domain } = page;
        this.#page = page;
        const hosts = [domain.host, domain.aliasOf];
        this.#filters = domain.aliasOf ? { kind: ["publication", "withdrawal", "domain", "alias"] } : { host: domain.host };
        this.#concerns = domain.aliasOf ? ({ host }) => hosts.includes(host) : () => true;
    }

    /** Follows the events after a place, for as long as the page is open. Another call replaces this one. */
    async follow(place) {
        this.#following.abort();
        this.#following = new AbortController();
        const { signal } = this.#following;
        const { api } = this.#page;
        try {
            for await (const { events, problem } of eventsAfter(api, place, { filters: this.#filters, signal })) {
                for (const event of events) this.#note(event);
                if (problem) this.#say(problem);
                else await this.#catchUp();
            }
        } catch (error) {
            if (signal.aborted) return;
            // The place no longer exists: an older backup of the database has been restored.
            if (error.code === "invalid_parameter") return this.#startAgain();
            this.#sayLast(error);
        }
    }

    /**
     * Follows parts: `{ NAME: update }`. Those that are not followed yet are loaded now, except the `loaded` ones. Failed
     * requests are retried.
     */
    async show(parts, { loaded = [] } = {}) {
        for (const name in parts) if (!(name in this.#parts || loaded.includes(name))) this.#due.add(name);
        this.#parts = { ...parts, ...this.#parts };
        try {
            await this.#catchUp();
        } catch (error) {
            this.#sayLast(error);
        }
    }

    /** Updates every part that is followed. */
    async update() {
        this.#noteAll();
        const problem = await this.#update();
        if (problem) throw problem;
    }

    #note(event) {
        if (!this.#concerns(event)) return;
        const { kind } = event;
        if (moving.includes(kind)) return this.#noteAll();
        for (const name of concerned[kind.split(".")[0]] ?? []) if (name in this.#parts) this.#due.add(name);
    }

    #noteAll() {
        for (const name in this.#parts) this.#due.add(name);
    }

    /** Updates the parts that have changed. Failed requests are retried, less often each time. */
    async #catchUp() {
        for (let retry = firstRetry; ; retry = Math.min(2 * retry, longestRetry)) {
            const problem = await this.#update();
            this.#say(problem);
            if (!problem) return;
            await pause(retry);
        }
    }

    /** Updates the changed parts once. Returns the problem of a part that failed and is still due, or null. */
    async #update() {
        let failure = null;
        const update = async (name) => {
            this.#due.delete(name);
            try {
                await this.#parts[name]();
            } catch (problem) {
                if (!problem.isPassing) throw problem;
                this.#due.add(name);
                failure = problem;
            }
        };
        await Promise.all([...this.#due].map(update));
        return failure;
    }

    async #startAgain() {
        try {
            const place = await newestPlace(this.#page.api);
            await this.update();
            this.#say(null);
            this.follow(place);
        } catch (error) {
            this.#sayLast(error);
        }
    }

    #say(problem) {
        const notice = part(this.#page.main, "out-of-date");
        notice.hidden = !problem;
        if (!problem) return;
        const why = problem.is("unreachable") ? "Waymark does not answer." : words(problem);
        notice.textContent = `${why} This page may be out of date. Retrying.`;
    }

    /** Reports a problem that retrying does not solve. After a sign-in in another tab, the page follows again. */
    async #sayLast(error) {
        const { main, session, edits } = this.#page;
        const notice = part(main, "out-of-date");
        notice.hidden = false;
        const way = edits.some((isEdited) => isEdited()) ? "" : " Reload it.";
        notice.textContent = `${words(error)} This page may be out of date.${error.isSignedOut ? "" : way}`;
        if (!error.isSignedOut) return;
        const { untilSignedIn } = await import("./head/signed-out.js");
        await untilSignedIn(notice, session.organization.slug);
        this.#startAgain();
    }
}
