import { at } from "../../shared/api/api.js";
import { domainAddress, versionAddress } from "../../shared/page/addresses.js";
import { hostWords } from "../../shared/words/host-words.js";
import { patternText } from "../../shared/words/pattern.js";

const maximumVersions = 50;

/** The rules of the draft and the versions of the domain of this page. Loaded once, when the finder opens. */
export async function domainItems({ api, slug, host }) {
    const [rules, versions] = await Promise.all([ruleItems(api, slug, host), versionItems(api, slug, host)]);
    return [...rules, ...versions];
}

/** The rules of the drafts of several domains. A domain that no longer exists has none. */
export async function rulesOfDomains({ api, slug }, hosts) {
    const found = await Promise.allSettled(hosts.map((host) => ruleItems(api, slug, host)));
    const rules = found.map(({ value = [] }, index) =>
        value.map((item) => ({ ...item, detail: [hostWords(hosts[index]), item.detail].filter(Boolean).join(" · ") })),
    );
    return rules.flat();
}

async function ruleItems(api, slug, host) {
    const { body: draft } = await api.get(at`/domains/${host}/draft`);
    return draft.entries.flatMap(({ rules }) => rules).map((rule) => ({
        group: "Rules",
        words: patternText(rule),
        detail: rule.comment ?? (rule.exclude ? "Stays on the web" : ""),
        also: "rule",
        href: `${domainAddress(slug, host, "rules")}#rule-${rule.id}`,
    }));
}

async function versionItems(api, slug, host) {
    const { body } = await api.get(at`/domains/${host}/versions`, { query: { limit: maximumVersions } });
    return body.items.map(({ version, message }) => ({
        group: "Versions",
        words: `Version ${version}`,
        detail: message ?? "",
        href: versionAddress(slug, host, version),
    }));
}
