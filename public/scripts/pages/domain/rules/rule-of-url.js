/**
 * The rule that matches exactly this URL: `{ fields, leftOut }`. A rule has one pattern for each name of a query item,
 * and every item of that name must match it. Names that appear with different values are left out, in `leftOut`.
 */
export function ruleOfURL(text) {
    const url = new URL(text);
    const values = valuesByName(url.search);
    const leftOut = [...values.keys()].filter((name) => values.get(name).size > 1);
    const query = [...values].filter(([name]) => !leftOut.includes(name)).map(([name, [value]]) => [name, value]);
    const fields = {
        path: url.pathname,
        ...(query.length && { query: Object.fromEntries(query) }),
        ...(url.hash && { fragment: url.hash.slice(1) }),
    };
    return { fields, leftOut };
}

/** Each name with its different values, as they are written: patterns compare with the encoded text by default. */
function valuesByName(search) {
    const values = new Map();
    for (const item of search.slice(1).split("&").filter(Boolean)) {
        const [name, ...rest] = item.split("=");
        values.set(name, (values.get(name) ?? new Set()).add(rest.join("=")));
    }
    return values;
}
