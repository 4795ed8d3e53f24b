const maximum = 6;

/**
 * What the user opened by the finder, the last one first: `{ group, words, detail, href }`. Kept in this browser, for
 * each user and organization.
 */
export class Recent {
    #key;

    constructor(session) {
        this.#key = `waymark.found.${session?.organization?.slug ?? ""}.${session?.me.user?.id ?? ""}`;
    }

    get items() {
        try {
            const items = JSON.parse(localStorage.getItem(this.#key)) ?? [];
            return items.filter(({ words, href }) => typeof words === "string" && href?.startsWith("/"));
        } catch {
            return [];
        }
    }

    opened({ group, words, detail, href }) {
        const items = [{ group, words, detail, href }, ...this.items.filter((each) => each.href !== href)];
        try {
            localStorage.setItem(this.#key, JSON.stringify(items.slice(0, maximum)));
        } catch {
            // The browser keeps nothing, or its storage is full.
        }
    }
}
