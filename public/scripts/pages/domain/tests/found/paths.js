/** The host of an absolute URL, in ASCII; null for a path. */
export function hostOf(target) {
    if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
    return new URL(target).hostname;
}

/**
 * The path, query and fragment of a target, with only the kept items of its query (a set of names; null keeps all).
 * Null if the target is neither an absolute URL nor a path.
 */
export function pathOf(target, kept) {
    const text = target.replace(/^https?:\/\/[^/?#]*/i, "");
    if (!/^[/?#]/.test(text) && (text !== "" || text === target)) return null;
    const [, path, query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text);
    return (path || "/") + keptItems(query, kept) + fragment;
}

function keptItems(query, kept) {
    if (kept === null) return query;
    const items = query.slice(1).split("&").filter((item) => kept.has(item.split("=")[0]));
    return items.length ? `?${items.join("&")}` : "";
}

/** The names of the query items that the rules of a draft compare; null if a rule compares whole queries. */
export function comparedItems({ entries, defaults }) {
    const rules = entries.flatMap((entry) => entry.rules ?? []);
    const queries = [defaults, ...entries.map((entry) => entry.defaults), ...rules].map((each) => each?.query ?? null);
    if (queries.some((query) => typeof query === "string")) return null;
    return new Set(queries.flatMap((query) => Object.keys(query ?? {})));
}
