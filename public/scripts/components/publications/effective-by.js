import { duration } from "../../shared/words/numbers.js";
import { words } from "../../shared/api/problem.js";
import { clone, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";
import { dueWords } from "../../shared/times/due-time.js";

/** Shows when a change must go live to reach devices by a time, and the assumptions behind it. */
export class EffectiveBy {
    #root;
    #api;
    #newest = new Newest();

    constructor(root, api) {
        this.#root = root;
        this.#api = api;
    }

    /** Requests the calculation for a time in the API's format; null for none. */
    async show(time) {
        if (!time) {
            this.#newest.stop();
            this.#root.hidden = true;
            return;
        }
        const query = { time };
        await this.#newest.ask((signal) => this.#api.get("/effective-by", { query, signal }), {
            answered: ({ body }) => this.#fill(body),
            failed: (error) => this.#say("bad", words(error), []),
        });
    }

    #fill({ at, possible, reachedIfPublishedNow, assumptions }) {
        if (possible) return this.#say("quiet", `It goes live at ${dueWords(at)}.`, assumptions);
        const reached = dueWords(reachedIfPublishedNow);
        const late = `That is too soon: a file published now reaches devices by ${reached}.`;
        this.#say("warning", `${late} Choose a later time, or publish now.`, assumptions);
    }

    #say(tone, sentence, assumptions) {
        this.#root.hidden = false;
        this.#root.dataset.tone = tone;
        part(this.#root, "sentence").textContent = sentence;
        part(this.#root, "basis").hidden = assumptions.length === 0;
        part(this.#root, "assumptions").replaceChildren(...assumptions.map(assumptionItem));
    }
}

/** When a publication or a release reaches devices, or that it is too late; null if it has no such time. */
export function reachWords({ effectiveBy, late, state }) {
    if (!effectiveBy) return null;
    const by = dueWords(effectiveBy);
    if (late) return `${duration(late)} too late to reach devices by ${by}.`;
    if (!["judging", "scheduled", "running", "live"].includes(state)) return `Was meant to reach devices by ${by}.`;
    return `Reaches devices by ${by}, assuming that Apple’s CDN fetches within a day and devices check about weekly.`;
}

function assumptionItem({ detail, source }) {
    const isLink = source.startsWith("https://");
    const item = clone("assumption", { detail, source: isLink ? null : `(${source})` });
    part(item, "link").hidden = !isLink;
    if (isLink) part(item, "link").href = source;
    return item;
}
