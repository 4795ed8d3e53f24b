import { UsedDomains } from "../../shared/page/used-domains.js";

/** Fewer domains than this are all in view, so recently used ones need no place at the top. */
const enoughToSearch = 15;

/**
 * The domains at the top of the list: starred ones, then recently used ones. After Back, they are the same as before,
 * although the domain that was opened is now the last used one.
 */
export class UsedFirst {
    #used;
    #api;

    constructor(session) {
        this.#used = new UsedDomains(session);
        this.#api = session.api;
    }

    isStarred(host) {
        return this.#used.starred.includes(host);
    }

    star(host, isStarred) {
        return this.#used.star(host, isStarred);
    }

    /** The hosts in groups, as now, or as they were `before`. */
    hosts(before) {
        const { starred, recent } = this.#used;
        return before ?? { starred, recent: recent.filter((host) => !starred.includes(host)) };
    }

    /** `{ starred, recent }` with the domains that still exist. A failure leaves them in their usual places. */
    async load(hosts, signal) {
        const asked = [...hosts.starred, ...hosts.recent];
        const items = asked.length ? await this.#ask(asked, signal).catch(() => []) : [];
        const existing = (group) => group.map((host) => items.find((each) => each.host === host)).filter(Boolean);
        return { starred: existing(hosts.starred), recent: existing(hosts.recent) };
    }

    /** Without recently used domains if the list is short. */
    static shown(first, { matching }) {
        return { ...first, recent: matching < enoughToSearch ? [] : first.recent };
    }

    async #ask(hosts, signal) {
        return (await this.#api.get("/domains", { query: { host: hosts, limit: 50 }, signal })).body.items;
    }
}
