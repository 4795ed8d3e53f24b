const maximumStarred = 40;
const maximumRecent = 5;

/**
 * The domains that a user has starred, and those that they opened last. Kept in this browser, for each user and
 * organization, and only as hosts: the pages ask the API about them.
 */
export class UsedDomains {
    #key;

    constructor({ me, organization }) {
        this.#key = `waymark.domains.${organization.slug}.${me.user?.id ?? ""}`;
    }

    /** In the order in which they were starred. */
    get starred() {
        return this.#read().starred;
    }

    /** The last one first. */
    get recent() {
        return this.#read().recent;
    }

    /** Stars a domain, or removes its star. Returns false if there are too many. */
    star(host, isStarred) {
        const others = this.starred.filter((each) => each !== host);
        if (isStarred && others.length >= maximumStarred) return false;
        this.#write({ starred: isStarred ? [...others, host] : others });
        return true;
    }

    /** A host that cannot exist, from a mistyped address, is ignored. */
    opened(host) {
        if (!/^[\p{L}\p{M}\p{N}.-]{1,253}$/u.test(host)) return;
        const others = this.recent.filter((each) => each !== host);
        this.#write({ recent: [host, ...others].slice(0, maximumRecent) });
    }

    /** Without storage, or with foreign content in it, nothing is starred. */
    #read() {
        try {
            const { starred, recent } = JSON.parse(localStorage.getItem(this.#key)) ?? {};
            return { starred: hosts(starred, maximumStarred), recent: hosts(recent, maximumRecent) };
        } catch {
            return { starred: [], recent: [] };
        }
    }

    #write(change) {
        try {
            localStorage.setItem(this.#key, JSON.stringify({ ...this.#read(), ...change }));
        } catch {
            // The browser keeps nothing, or its storage is full.
        }
    }
}

function hosts(value, limit) {
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(0, limit) : [];
}
