import { afterPause } from "../following/later.js";

const mostAtOnce = 200;
const calm = 100;

/**
 * Keeps with the page's entry in the browser's history how many rows of a list are shown, how far the page is scrolled,
 * and which link was followed: Back leads to the same rows and the same place.
 */
export class KeptPlace {
    #list;

    constructor(list) {
        this.#list = list;
        history.scrollRestoration = "manual";
        window.addEventListener("scroll", afterPause(calm, () => this.keep()));
        list.addEventListener("click", ({ target }) => this.keep(target.closest("a")?.getAttribute("href")));
    }

    /** How many rows were shown when the page was left. */
    get rows() {
        return history.state?.rows ?? 0;
    }

    /** Notes what is shown now. */
    keep(followed = history.state?.followed) {
        const rows = this.#list.childElementCount;
        history.replaceState({ rows, top: window.scrollY, followed }, "");
    }

    /** Goes back to the place, once the rows are shown. */
    restore() {
        const { top, followed } = history.state ?? {};
        const links = followed ? [...this.#list.querySelectorAll("a")] : [];
        links.find((link) => link.getAttribute("href") === followed)?.focus({ preventScroll: true });
        if (top) window.scrollTo({ top, behavior: "instant" });
    }
}

/** The first rows of a list, at least `wanted` of them if there are so many: `ask({ limit, cursor })` gives a page. */
export async function firstRows(ask, pageSize, wanted) {
    const items = [];
    let next = null;
    do {
        const limit = Math.min(mostAtOnce, Math.max(pageSize, wanted - items.length));
        const body = await ask({ limit, cursor: next });
        items.push(...body.items);
        next = body.next;
    } while (next && items.length < wanted);
    return { items, next };
}
