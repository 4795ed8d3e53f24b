/** A rule for reading: `/help/*?articleNumber=????`, with wildcards and variables marked. */
export function patternNodes({ path, query, fragment }) {
    const isBare = (path ?? null) === null && (query ?? null) === null && (fragment ?? null) === null;
    if (isBare) return [muted("any URL")];
    return [
        ...((path ?? null) === null ? [muted("any path")] : wildcards(path)),
        ...queryNodes(query ?? null),
        ...((fragment ?? null) === null ? [] : [sign("#"), ...wildcards(fragment)]),
    ];
}

/** The same in one line of text, for labels and announcements. */
export function patternText(rule) {
    return patternNodes(rule).map((node) => node.textContent).join("");
}

function queryNodes(query) {
    if (query === null) return [];
    if (typeof query === "string") return [sign("?"), ...wildcards(query)];
    return Object.entries(query).flatMap(([name, pattern], index) => [
        sign(index ? "&" : "?"),
        document.createTextNode(name),
        sign("="),
        ...wildcards(String(pattern)),
    ]);
}

/** `*`, `?` and `$(name)` are special; everything else is literal. */
function wildcards(pattern) {
    return pattern.split(/(\$\([^$()]*\)|[*?]+)/).filter(Boolean).map((text) =>
        /^(\$\(|[*?])/.test(text) ? span("wildcard", text) : document.createTextNode(text),
    );
}

function sign(text) {
    return span("sign", text);
}

function muted(text) {
    return span("muted", text);
}

function span(className, text) {
    const element = document.createElement("span");
    element.className = className;
    element.textContent = text;
    return element;
}
