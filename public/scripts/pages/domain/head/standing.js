import { later } from "../../../components/later.js";
import { part } from "../../../shared/page/template.js";

/**
 * In the head of a domain: the pending changes of the live version, those that will not go live in the current state,
 * and the last one that failed if none went live after it. If there are any, it loads their words with the part
 * "Versions", which has them too.
 */
export class Standing {
    #page;
    #root;
    #shown = { stopped: null, publications: [], releases: [] };

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "standing");
    }

    /** Shows some of `publications` and `releases`, which have not ended, and `stopped`, which failed, or null. */
    async show(changed) {
        this.#shown = { ...this.#shown, ...changed };
        const isEmpty = () => Object.values(this.#shown).every((value) => !value?.publication && !value?.length);
        const items = isEmpty() ? null : (await later(() => import("../versions/part.js"))).standingItems;
        // A later call may have replaced the entries.
        this.#root.hidden = isEmpty();
        if (items && !isEmpty()) this.#root.replaceChildren(...items(this.#page, this.#shown));
    }
}
