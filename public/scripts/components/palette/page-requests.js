import { at } from "../../shared/api/api.js";

const lists = {
    "": { words: "list domains", path: "/domains" },
    apps: { words: "list apps", path: "/apps" },
    schedules: { words: "list schedules", path: "/schedules" },
    releases: { words: "list releases", path: "/releases" },
    people: { words: "list members", path: "/members" },
    events: { words: "list events", path: "/events" },
};

/** The requests of the API that give what this page shows, or do what it does, as `copyCurl` takes them. */
export function requestsOfPage() {
    const { pathname, searchParams } = new URL(location.href);
    const page = pathname.split("/")[1];
    const organization = searchParams.get("organization");
    return requests(page, searchParams).map(({ words, ...request }) => ({
        words,
        request: () => ({ ...request, organization }),
    }));
}

function requests(page, asked) {
    const [host, release, schedule] = ["host", "release", "schedule"].map((name) => asked.get(name));
    const publish = host && { words: `publish ${host}`, method: "POST", path: at`/domains/${host}/publications`, body: {} };
    if (page === "domain" && host) {
        return [
            { words: "get this draft", path: at`/domains/${host}/draft` },
            { words: "get this file", path: at`/domains/${host}/draft/file` },
            { words: "list these versions", path: at`/domains/${host}/versions` },
            publish,
        ];
    }
    if (page === "releases" && release) return [{ words: "get this release", path: at`/releases/${release}` }];
    if (page === "schedules" && schedule) return [{ words: "get this schedule", path: at`/schedules/${schedule}` }];
    return lists[page] ? [lists[page]] : [];
}
