/** The values of Apple's own variables (`$(digit)` stands for one of its values). */
const builtIn = { alpha: "a", upper: "A", lower: "a", alnum: "a", digit: "1", xdigit: "a", region: "US", lang: "en" };

/** Sample URLs for a draft: one for each of its first rules, rules that open an app first. */
export function sampleURLs(host, draft, limit = 4) {
    const rules = draft.entries.flatMap((entry) => entry.rules ?? []);
    const inOrder = [...rules.filter(({ exclude }) => !exclude), ...rules.filter(({ exclude }) => exclude)];
    const urls = inOrder.map((rule) => sampleURL(host, draft, rule)).filter(Boolean);
    return [...new Set(urls)].slice(0, limit);
}

/** A URL that matches the patterns of a rule; null if it names an unknown variable. */
export function sampleURL(host, draft, { path, query, fragment }) {
    const values = { ...builtIn, ...mapped(draft.substitutionVariables ?? {}, ([value]) => value) };
    const sampled = [pathOf(path ?? "/"), queryOf(query ?? null), fragmentOf(fragment ?? null)].join("");
    const url = sampled.replace(/\$\(([^$()]*)\)/g, (text, name) => values[name] ?? text);
    return url.includes("$(") ? null : `https://${host}${url}`;
}

function pathOf(path) {
    return `/${sample(path)}`.replace(/\/{2,}/g, "/");
}

function queryOf(query) {
    if (query === null || query === "") return "";
    if (typeof query === "string") return `?${sample(query)}`;
    return `?${Object.entries(query).map(([name, pattern]) => `${name}=${sample(String(pattern))}`).join("&")}`;
}

function fragmentOf(fragment) {
    return fragment === null ? "" : `#${sample(fragment)}`;
}

function sample(pattern) {
    return pattern.replace(/\*+/g, "42").replace(/\?/g, (_, offset) => String((offset % 9) + 1));
}

function mapped(object, change) {
    return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
