import { afterPause } from "../following/later.js";

const maximumPageSize = 200;
const calm = 100;

/**
 * Saves in the browser's history how many rows of a list are shown, the scroll position, and which link was followed,
 * so that Back restores them. `count` returns the number of rows; by default, the list's children.
 */
export class KeptPlace {
    #list;
    #count;

    constructor(list, count = () => list.childElementCount) {
        this.#list = list;
        this.#count = count;
        history.scrollRestoration = "manual";
        window.addEventListener("scroll", afterPause(calm, () => this.keep()));
        list.addEventListener("click", ({ target }) => this.keep(target.closest("a")?.getAttribute("href")));
    }

    /** How many rows were shown when the page was left. */
    get rows() {
        return history.state?.rows ?? 0;
    }

    /** What the history kept, if the page was reached by Back or Forward. */
    get returned() {
        const [navigation] = performance.getEntriesByType("navigation");
        return navigation?.type === "back_forward" ? history.state : null;
    }

    /** Saves the current state. */
    keep(followed = history.state?.followed) {
        this.keepMore({ rows: this.#count(), top: window.scrollY, followed });
    }

    /** Saves more values of the page, which `history.state` has after Back. */
    keepMore(values) {
        history.replaceState({ ...history.state, ...values }, "");
    }

    /** Restores the scroll position and the focus, once the rows are shown. */
    restore() {
        const { top, followed } = history.state ?? {};
        const links = followed ? [...this.#list.querySelectorAll("a")] : [];
        links.find((link) => link.getAttribute("href") === followed)?.focus({ preventScroll: true });
        if (top) window.scrollTo({ top, behavior: "instant" });
    }
}

/** The first rows of a list, at least `wanted` if there are that many. `ask({ limit, cursor })` loads a page. */
export async function firstRows(ask, pageSize, wanted) {
    const items = [];
    let next = null;
    do {
        const limit = Math.min(maximumPageSize, Math.max(pageSize, wanted - items.length));
        const body = await ask({ limit, cursor: next });
        items.push(...body.items);
        next = body.next;
    } while (next && items.length < wanted);
    return { items, next };
}
