import { at } from "../../../shared/api/api.js";
import { pause, untilVisible } from "../../../shared/following/later.js";
import { sinks } from "../../../components/sinks.js";

/** The shortest and longest time between two updates, in milliseconds. */
const firstLook = 500;
const longestLook = 30_000;

/** Where the live file is served: `latest` is the API's answer, `problem` a failure since. Sends `change`. */
export class Serving extends EventTarget {
    latest = null;
    problem = null;
    #page;
    #following = 0;

    constructor(page) {
        super();
        this.#page = page;
        window.addEventListener("focus", () => this.#following && this.#load());
    }

    /** Updates until all have the live file, less often each time. */
    async follow() {
        const turn = ++this.#following;
        for (let look = firstLook; await this.#load(); look = Math.min(1.5 * look, longestLook)) {
            await pause(look);
            await untilVisible();
            if (turn !== this.#following) return;
        }
    }

    /** Returns whether it may change soon: one of them does not have the live file yet, or there was no answer. */
    async #load() {
        try {
            this.latest = (await this.#page.api.get(at`/domains/${this.#page.host}/serving`)).body;
            this.problem = null;
        } catch (error) {
            this.problem = error;
        }
        this.dispatchEvent(new Event("change"));
        return this.problem ? (this.problem.isPassing ?? false) : sinks(this.latest).some(({ isLate }) => isLate);
    }
}
