import { at } from "../../shared/api/api.js";
import { fragmentOf } from "../checking/share-link.js";
import { appAddress, domainAddress, versionAddress } from "../../shared/page/addresses.js";

const [maximumDomains, maximumApps, maximumVersions] = [8, 5, 3];

/**
 * Domains, apps and versions of all domains, by the API: "shop", or "shop 7" for version 7 of the domains found. For a
 * URL, the tester of its domain.
 */
export async function search({ api, slug }, typed, signal) {
    const url = /^https?:\/\//i.test(typed) && URL.canParse(typed) ? new URL(typed) : null;
    if (url) return searchURL({ api, slug }, typed, url.hostname, signal);
    const [, host, number] = /^(\S+)\s+(?:version\s+|v)?(\d+)$/i.exec(typed) ?? [];
    const [domains, apps] = await Promise.all([
        list(api, "/domains", { q: host ?? typed, limit: maximumDomains }, signal),
        host ? [] : list(api, "/apps", { q: typed, limit: maximumApps }, signal),
    ]);
    const versions = host ? await versionsOf(api, domains.slice(0, maximumVersions), Number(number), signal) : [];
    return [
        ...versions.map((domain) => versionItem(slug, domain, number)),
        ...domains.map((domain) => domainItem(slug, domain)),
        ...apps.map((app) => appItem(slug, app)),
    ];
}

async function searchURL({ api, slug }, typed, host, signal) {
    const domains = await list(api, "/domains", { q: host, limit: maximumDomains }, signal);
    const domain = domains.find((each) => each.host === host);
    if (!domain) return [];
    const fragment = await fragmentOf({ urls: typed, source: "draft", system: "ios14" });
    const href = `${domainAddress(slug, host, "rules")}#try=${fragment}`;
    return [{ group: "Test", words: "Which app opens this URL?", detail: domain.unicodeHost, href }, domainItem(slug, domain)];
}

async function list(api, path, query, signal) {
    return (await api.get(path, { query, signal })).body.items;
}

/** The domains that have a version of this number. */
async function versionsOf(api, domains, number, signal) {
    const found = await Promise.all(
        domains.map(({ host }) =>
            api.get(at`/domains/${host}/versions/${number}`, { signal }).then(() => true, (problem) => {
                if (problem.status === 404) return false;
                throw problem;
            }),
        ),
    );
    return domains.filter((_, index) => found[index]);
}

export function domainItem(slug, { host, unicodeHost = host, labels = [] }) {
    return {
        group: "Domains",
        words: unicodeHost,
        detail: labels.join(", "),
        also: host,
        href: domainAddress(slug, host),
    };
}

function appItem(slug, { appID, name }) {
    return { group: "Apps", words: name || appID, detail: name ? appID : "", href: appAddress(slug, appID) };
}

function versionItem(slug, { host, unicodeHost }, number) {
    return {
        group: "Versions",
        words: `Version ${number} of ${unicodeHost}`,
        // A number was typed after the host.
        bonus: 10,
        href: versionAddress(slug, host, number),
    };
}
