/** What an evaluation says, in few words: the outcome to colour by, and a headline. */
export function verdict({ outcome, app, reason }) {
    if (reason) return { tone: "ineligible", headline: "Not a universal link" };
    const headlines = { opens: `Opens ${app}`, excluded: "Stays on the web", none: "No app opens it" };
    return { tone: outcome, headline: headlines[outcome] };
}

/** The rule that decides, as a JSON Pointer into the file: of the app that opens, else of one that is kept out. */
export function decision({ outcome, app, apps }) {
    const winner = app ?? apps.find((each) => each.outcome === outcome)?.app;
    const pointer = apps.find((each) => each.app === winner && each.outcome === outcome)?.decidedBy;
    return pointer ? { pointer, outcome } : null;
}

/** Why, for a verdict that comes without its trace. */
export function sentence({ outcome, apps, reason }, place) {
    if (reason) return reason;
    if (outcome === "opens" && !place) return "Its entry has no rules, so it takes every URL.";
    if (outcome === "opens") return `${place} is the first that matches.`;
    if (outcome === "excluded") return `${place} matches first and excludes it; rules below are not looked at.`;
    return apps.length ? "No rule matches, so the link opens in the browser." : "The file names no app for links.";
}

/** `/applinks/details/0/components/2` is "Rule 3 of entry 1". */
export function placeName(pointer) {
    const [, entry, rule] = /\/details\/(\d+)\/(?:components|paths)\/(\d+)$/.exec(pointer) ?? [];
    return entry === undefined ? "The rule" : `Rule ${Number(rule) + 1} of entry ${Number(entry) + 1}`;
}
