import { at } from "../api.js";
import { pause } from "../later.js";
import { showMoment } from "../moments.js";
import { words } from "../problem.js";
import { clone, fill, part } from "../template.js";

const kinds = { edge: "edge", directory: "directory for a web server" };
const clients = { appleCDN: "Apple’s CDN", device: "A device", other: "Another client" };

/** So long a change is followed: consumers and buckets that have not got it by then are shown as they are. */
const patience = 120_000;

/**
 * How far the live file has got: each consumer of the snapshot, each bucket, and who has fetched it. Tells others what is known by
 * `change` events (`detail` is the API's answer).
 */
export class Serving extends EventTarget {
    #page;
    #root;
    #following = 0;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "serving");
        window.addEventListener("focus", () => this.show());
    }

    /** Shows what is known now; answers whether a consumer is still to come. */
    async show() {
        const problem = part(this.#root, "problem");
        try {
            const { body } = await this.#page.api.get(at`/domains/${this.#page.host}/serving`);
            problem.hidden = true;
            this.#fill(body);
            this.dispatchEvent(new CustomEvent("change", { detail: body }));
            return body.consumers.some(({ current }) => current === false) || body.buckets.some(isLate);
        } catch (error) {
            problem.hidden = false;
            problem.textContent = words(error);
            return error.isPassing ?? false;
        }
    }

    /** Shows how a change arrives at one consumer after the other, until all have it. */
    async follow() {
        const turn = ++this.#following;
        const end = Date.now() + patience;
        while ((await this.show()) && Date.now() < end) {
            await pause(500);
            if (turn !== this.#following) return;
        }
    }

    #fill({ live, consumers, buckets, fetches }) {
        fill(this.#root, { headline: headline(live, consumers, buckets) });
        part(this.#root, "consumers").replaceChildren(...consumers.map((consumer) => consumerItem(consumer, live)));
        part(this.#root, "buckets").replaceChildren(...buckets.map((bucket) => bucketItem(bucket, live)));
        part(this.#root, "fetches").replaceChildren(...fetches.map(fetchItem));
        part(this.#root, "fetched").hidden = !live && fetches.length === 0;
        part(this.#root, "no-fetches").hidden = fetches.length > 0;
    }
}

function headline(live, consumers, buckets) {
    if (!live) return "Nothing is published, so nothing is served.";
    if (consumers.length === 0 && buckets.length > 0) return `Version ${live.version} is live.`;
    if (consumers.length === 0) return `Version ${live.version} is live, and no consumer has reported within a day.`;
    const current = consumers.filter((consumer) => consumer.current).length;
    const whole = current === consumers.length;
    if (consumers.length === 1) return `Version ${live.version} is ${whole ? "served" : "on its way"}.`;
    return whole
        ? `Version ${live.version} is served by all ${consumers.length} consumers.`
        : `Version ${live.version} is served by ${current} of ${consumers.length} consumers.`;
}

/** A consumer, and whether it serves what is live. */
export function consumerItem({ name, kind, current, lag, seenAt }, live) {
    const item = clone("consumer", { name, kind: kinds[kind] });
    const state = standing(current, lag, live);
    part(item, "state").textContent = state.words;
    part(item, "state").dataset.tone = state.tone;
    showMoment(part(item, "seen"), seenAt);
    return item;
}

function standing(current, lag, live) {
    if (current === null) return { words: "Nothing to serve", tone: "quiet" };
    if (current) return { words: `Serves version ${live.version}`, tone: "good" };
    return { words: lag >= 1 ? `${duration(lag)} behind` : "On its way", tone: lag < 30 ? "accent" : "warning" };
}

const isLate = ({ state }) => state !== "current";

/** A bucket, whether it holds what is live, and why not. */
function bucketItem(bucket, live) {
    const item = clone("bucket", { name: bucket.name, cause: bucket.cause ?? "" });
    const state = bucketStanding(bucket, live);
    part(item, "state").textContent = state.words;
    part(item, "state").dataset.tone = state.tone;
    part(item, "compared").hidden = !bucket.comparedAt;
    showMoment(part(item, "compared-at"), bucket.comparedAt);
    part(item, "cause").hidden = !bucket.cause;
    return item;
}

function bucketStanding({ state, since }, live) {
    if (state === "current") {
        return live ? { words: `Holds version ${live.version}`, tone: "good" } : { words: "Holds nothing", tone: "quiet" };
    }
    const seconds = since ? Math.max(0, Math.floor((Date.now() - new Date(since)) / 1000)) : 0;
    if (state === "failing") return { words: `Failing for ${duration(seconds)}`, tone: "bad" };
    return { words: seconds >= 1 ? `${duration(seconds)} behind` : "On its way", tone: seconds < 30 ? "accent" : "warning" };
}

function fetchItem({ version, client, count, lastAt }) {
    const times = count === 1 ? "once" : `${count.toLocaleString("en")} times`;
    const item = clone("fetch", { what: `${clients[client]} fetched version ${version},`, times });
    showMoment(part(item, "last"), lastAt);
    return item;
}

function duration(seconds) {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
