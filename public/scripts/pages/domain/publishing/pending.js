import { all, at } from "../../../shared/api/api.js";

/** The pending publications and releases of a domain. Shows them in the head, and sends `change`. */
export class Pending extends EventTarget {
    publications = [];
    releases = [];
    #page;
    #isEmpty;

    /** The domain says whether there are any publications to load at first. */
    constructor(page) {
        super();
        this.#page = page;
        this.#isEmpty = !page.domain.pending;
    }

    async load() {
        const { api, host, standing } = this.#page;
        const path = at`/domains/${host}/publications`;
        const [publications, releases] = await Promise.all([
            this.#isEmpty ? [] : all(api, path, { query: { state: "pending" }, limit: 200 }),
            pendingReleases(api, host),
        ]);
        this.#isEmpty = false;
        this.publications = publications.toSorted(byDueTime);
        this.releases = releases.toSorted(byDueTime);
        this.dispatchEvent(new Event("change"));
        await standing.show({ publications: this.publications, releases: this.releases });
    }
}

async function pendingReleases(api, host) {
    const releases = await all(api, "/releases", { query: { host, state: "pending" } });
    return releases.filter(({ dryRun }) => !dryRun);
}

function byDueTime(one, other) {
    return (one.at ?? "").localeCompare(other.at ?? "");
}
