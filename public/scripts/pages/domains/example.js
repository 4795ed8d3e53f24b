import { at } from "../../shared/api/api.js";

const team = { teamID: "ABCDE12345", name: "Example Team" };
const apps = [
    { teamID: team.teamID, bundleID: "com.example.app", name: "Example App" },
    { teamID: team.teamID, bundleID: "com.example.app2", name: "Example App 2" },
];

const notOpened = "and instructs the system not to open it as a universal link.";

/**
 * The file that Apple documents in "Supporting associated domains", as a draft.
 * https://developer.apple.com/documentation/xcode/supporting-associated-domains
 */
const draft = {
    entries: [
        {
            apps: ["ABCDE12345.com.example.app", "ABCDE12345.com.example.app2"],
            rules: [
                {
                    fragment: "no_universal_links",
                    exclude: true,
                    comment: `Matches any URL with a fragment that equals no_universal_links ${notOpened}`,
                },
                { path: "/buy/*", comment: "Matches any URL with a path that starts with /buy/." },
                {
                    path: "/help/website/*",
                    exclude: true,
                    comment: `Matches any URL with a path that starts with /help/website/ ${notOpened}`,
                },
                {
                    path: "/help/*",
                    query: { articleNumber: "????" },
                    comment: "Matches any URL with a path that starts with /help/ and a four-character article number.",
                },
            ],
        },
    ],
    services: { webcredentials: ["ABCDE12345.com.example.app"] },
    compatibility: "ios13",
};

/** Names under `.example` are reserved (RFC 2606). The slug keeps the hosts of two organizations apart. */
export function exampleHost({ slug }) {
    return `shop.${slug}.example`;
}

/**
 * Makes the example through the public API. Completed steps are skipped, so a second attempt continues after a failure.
 * A draft with entries is not changed.
 */
export async function makeExample({ api, organization }, say) {
    const host = exampleHost(organization);
    say("Registering the team and its apps…");
    await unlessThere(() => api.post("/teams", team));
    for (const app of apps) await unlessThere(() => api.post("/apps", app));
    say(`Adding ${host}…`);
    await unlessThere(() => api.post("/domains", { host, labels: ["example"] }));
    say("Adding Apple’s rules to its draft…");
    const path = at`/domains/${host}/draft`;
    const { body, etag } = await api.get(path);
    if (body.entries.length === 0) await api.put(path, draft, { ifMatch: etag });
    return host;
}

async function unlessThere(create) {
    try {
        await create();
    } catch (problem) {
        if (problem.code !== "exists") throw problem;
    }
}
