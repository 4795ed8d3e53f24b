import { decision, verdict } from "../../../components/checking/verdict.js";

/** How many URLs of each result are picked at first: the most frequent ones. */
const suggestedPerResult = 2;

/** URLs that were found, with their results, and those that the user picked. */
export class Picks {
    items;
    picked = new Set();

    /** `found` is `[{ url, count?, evaluation, test?, isAsset? }]`, the most frequent first. */
    constructor(found, { picksAll = false } = {}) {
        this.items = found;
        for (const item of found) item.result = resultKey(item.evaluation);
        for (const item of picksAll ? this.#pickable() : this.#suggested()) this.picked.add(item);
    }

    toggle(item, isPicked) {
        if (isPicked) this.picked.add(item);
        else this.picked.delete(item);
    }

    /** The items that a search and a result leave, in order. `result` is that of an item, or "". */
    matching({ text, result, withAssets, onlyPicked }) {
        const wanted = text.trim().toLowerCase();
        return this.items.filter(
            (item) =>
                (!onlyPicked || this.picked.has(item)) &&
                (withAssets || onlyPicked || !item.isAsset) &&
                (!result || item.result === result) &&
                item.url.toLowerCase().includes(wanted),
        );
    }

    #pickable() {
        return this.items.filter(({ test, evaluation }) => !test && !evaluation.reason);
    }

    #suggested() {
        const numbers = new Map();
        return this.#pickable().filter((item) => {
            if (item.isAsset) return false;
            const key = `${item.result} ${decision(item.evaluation)?.decidedBy}`;
            numbers.set(key, (numbers.get(key) ?? 0) + 1);
            return numbers.get(key) <= suggestedPerResult;
        });
    }
}

/** "opens APP", "excluded", "none" or "ineligible" */
function resultKey(evaluation) {
    const { tone } = verdict(evaluation);
    return tone === "opens" ? `opens ${evaluation.app}` : tone;
}
