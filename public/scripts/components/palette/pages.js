import { addressWithOrganization, domainAddress } from "../../shared/page/addresses.js";
import { hostWords } from "../../shared/words/host-words.js";

const members = [
    { words: "Domains", path: "/", also: "overview hosts start" },
    { words: "Teams and apps", path: "/apps", also: "bundle id" },
    { words: "Schedules", path: "/schedules", also: "calendar freezes cron" },
    { words: "Releases", path: "/releases", also: "publish many roll back" },
    { words: "Approvals", path: "/approvals", also: "four eyes policies requests review" },
    { words: "People", path: "/people", also: "members users roles api tokens invitations" },
    { words: "Events", path: "/events", also: "history log audit" },
    { words: "Your account", path: "/account", also: "profile name password sessions devices settings" },
];
const everyone = [
    { words: "Check a file", path: "/validate", also: "validate lint aasa url test" },
    { words: "Findings", path: "/finding", also: "codes errors warnings wm" },
    { words: "API reference", path: "/api", also: "openapi curl http documentation" },
];
const parts = [
    { words: "Rules", part: "rules", also: "draft paths file" },
    { words: "Tests", part: "tests", also: "saved urls" },
    { words: "Versions", part: "versions", also: "history publications compare roll back" },
    { words: "Serving", part: "serving", also: "edge sinks live web server" },
    { words: "Settings", part: "settings", also: "labels aliases delete oldest system" },
];

/** The pages, and the parts of the domain of this page. */
export function pageItems({ slug, host }) {
    const pages = [...(slug ? members : []), ...everyone];
    return [
        ...(host ? parts.map((each) => partItem(slug, host, each)) : []),
        ...pages.map(({ words, path, also }) => ({
            group: "Pages",
            words,
            also,
            href: addressWithOrganization(path, slug),
        })),
    ];
}

function partItem(slug, host, { words, part, also }) {
    return { group: "This domain", words, detail: hostWords(host), also, href: domainAddress(slug, host, part) };
}
