/** Sample URLs for a draft: one for each of its first rules, rules that open an app first. */
export function sampleURLs(host, draft, limit = 4) {
    const rules = draft.entries.flatMap((entry) => entry.rules ?? []);
    const inOrder = [...rules.filter(({ exclude }) => !exclude), ...rules.filter(({ exclude }) => exclude)];
    const urls = inOrder.filter(isPlain).map((rule) => `https://${host}${samplePath(rule)}`);
    return [...new Set(urls)].slice(0, limit);
}

/** Without variables, whose values are unknown here. */
function isPlain(rule) {
    return !JSON.stringify([rule.path, rule.query, rule.fragment]).includes("$(");
}

function samplePath({ path, query, fragment }) {
    const withSlash = `/${sample(path ?? "/")}`.replace(/\/{2,}/g, "/");
    return withSlash + sampleQuery(query ?? null) + ((fragment ?? null) === null ? "" : `#${sample(fragment)}`);
}

function sampleQuery(query) {
    if (query === null || query === "") return "";
    if (typeof query === "string") return `?${sample(query)}`;
    return `?${Object.entries(query).map(([name, pattern]) => `${name}=${sample(String(pattern))}`).join("&")}`;
}

function sample(pattern) {
    return pattern.replace(/\*+/g, "42").replace(/\?/g, (_, offset) => String((offset % 9) + 1));
}
