import { at } from "../../shared/api/api.js";
import { domainAddress, versionAddress } from "../../shared/page/addresses.js";
import { patternText } from "../../shared/words/pattern.js";

const maximumVersions = 50;

/** The rules of the draft and the versions of the domain of this page. Loaded once, when the finder opens. */
export async function domainItems({ api, slug, host }) {
    const [rules, versions] = await Promise.all([ruleItems(api, slug, host), versionItems(api, slug, host)]);
    return [...rules, ...versions];
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
