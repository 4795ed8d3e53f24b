import { eventsAfter, newestPlace } from "../../shared/following/event-follower.js";
import { pause } from "../../shared/following/later.js";
import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";

/** What of the page changes with an event about a thing. */
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

/** With these the file that is live is another one: all of the page changes. */
const moving = ["publication.live", "withdrawal.withdrawn", "domain.verified", "alias.live", "alias.ended"];

const firstRetry = 1_000;
const longestRetry = 30_000;

/**
 * Keeps the parts of a domain's page as things are, by following the events of the domain with those of the schedules,
 * freezes and releases that concern it, or for an alias its own and those of the domain whose file it serves. `parts` has
 * a function for each that brings it up to date.
 *
 * What cannot be had just now is asked for again; meanwhile the page says that it may be out of date.
 */
export class DomainNews {
    #page;
    #parts;
    #filters;
    #concerns;
    #due = new Set();

    constructor(page, domain, parts) {
        this.#page = page;
        this.#parts = parts;
        const hosts = [domain.host, domain.aliasOf];
        this.#filters = domain.aliasOf ? { kind: ["publication", "withdrawal", "domain", "alias"] } : { host: domain.host };
        this.#concerns = domain.aliasOf ? ({ host }) => hosts.includes(host) : () => true;
    }

    /** Follows what happens after a place, for as long as the page is open. */
    async follow(place) {
        const { api } = this.#page;
        try {
            for await (const { events, problem } of eventsAfter(api, place, { filters: this.#filters })) {
                for (const event of events) this.#note(event);
                if (problem) this.#say(problem);
                else await this.#catchUp();
            }
        } catch (error) {
            // The place is not there any more: an older backup of the database has been restored.
            if (error.code === "invalid_parameter") return this.#startAgain();
            this.#sayLast(error);
        }
    }

    /** Brings every part up to date. */
    async show() {
        this.#due = new Set(Object.keys(this.#parts));
        const problem = await this.#update();
        if (problem) throw problem;
    }

    #note(event) {
        if (!this.#concerns(event)) return;
        const { kind } = event;
        const names = moving.includes(kind) ? Object.keys(this.#parts) : (concerned[kind.split(".")[0]] ?? []);
        for (const name of names) if (name in this.#parts) this.#due.add(name);
    }

    /** Brings what has changed up to date; what cannot be had is asked for again, less often each time. */
    async #catchUp() {
        for (let retry = firstRetry; ; retry = Math.min(2 * retry, longestRetry)) {
            const problem = await this.#update();
            this.#say(problem);
            if (!problem) return;
            await pause(retry);
        }
    }

    /** Asks once for what has changed. Answers why some of it could not be had; that is still due. */
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
            await this.show();
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
        notice.textContent = `${why} What you see may be out of date; it is asked again.`;
    }

    #sayLast(error) {
        const notice = part(this.#page.main, "out-of-date");
        notice.hidden = false;
        notice.textContent = `${words(error)} What you see may be out of date: reload the page.`;
    }
}
