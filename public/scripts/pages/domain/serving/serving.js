import { at } from "../../../shared/api/api.js";
import { pause, untilVisible } from "../../../shared/following/later.js";
import { showMoment } from "../../../shared/times/moments.js";
import { number } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { reachOfSinks, sinkItems, sinks } from "../../../components/sinks.js";

const clients = { appleCDN: "Apple’s CDN", device: "A device", other: "Another client" };

/** The shortest and longest time between two updates, in milliseconds. */
const firstLook = 500;
const longestLook = 30_000;

/**
 * Which edges, directories and buckets serve the live file, and the fetches. Sends `change` (`detail` is the API's
 * answer).
 */
export class Serving extends EventTarget {
    #page;
    #root;
    #following = 0;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "serving");
        window.addEventListener("focus", () => this.#following && this.show());
    }

    /** Shows the current state. Returns whether one of them does not have the live file yet. */
    async show() {
        const problem = part(this.#root, "problem");
        try {
            const { body } = await this.#page.api.get(at`/domains/${this.#page.host}/serving`);
            problem.hidden = true;
            this.#fill(body);
            this.dispatchEvent(new CustomEvent("change", { detail: body }));
            return sinks(body).some(({ isLate }) => isLate);
        } catch (error) {
            problem.hidden = false;
            problem.textContent = words(error);
            return error.isPassing ?? false;
        }
    }

    /** Updates until all have the live file, less often each time. */
    async follow() {
        const turn = ++this.#following;
        for (let look = firstLook; await this.show(); look = Math.min(1.5 * look, longestLook)) {
            await pause(look);
            await untilVisible();
            if (turn !== this.#following) return;
        }
    }

    #fill(serving) {
        const { live, fetches } = serving;
        fill(this.#root, { headline: reachOfSinks(serving) });
        part(this.#root, "sinks").replaceChildren(...sinkItems(serving));
        part(this.#root, "fetches").replaceChildren(...fetches.map(fetchItem));
        part(this.#root, "fetched").hidden = !live && fetches.length === 0;
        part(this.#root, "no-fetches").hidden = fetches.length > 0;
    }
}

function fetchItem({ version, client, count, lastAt }) {
    const times = count === 1 ? "once" : `${number(count)} times`;
    const item = clone("fetch", { what: `${clients[client]}: version ${version}, ${times}` });
    showMoment(part(item, "last"), lastAt);
    return item;
}
