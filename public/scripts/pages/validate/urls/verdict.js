/** An evaluation in short: the outcome for its colour, and a headline. */
export function verdict({ outcome, app, reason }) {
    if (reason) return { tone: "ineligible", headline: "Not a universal link" };
    const headlines = { opens: `Opens ${app}`, excluded: "Stays on the web", none: "No app opens it" };
    return { tone: outcome, headline: headlines[outcome] };
}

/** The JSON Pointer of the deciding rule: of the app that opens the URL, or else of one that is excluded. */
export function decision({ outcome, app, apps }) {
    const winner = app ?? apps.find((each) => each.outcome === outcome)?.app;
    const pointer = apps.find((each) => each.app === winner && each.outcome === outcome)?.decidedBy;
    return pointer ? { pointer, outcome } : null;
}

/** Why, for an evaluation without a trace. */
export function sentence({ outcome, apps, reason }, place) {
    if (reason) return reason;
    if (outcome === "opens" && !place) return "Its entry has no rules, so it opens every URL.";
    if (outcome === "opens") return `${place} is the first rule that matches.`;
    if (outcome === "excluded") return `${place} matches first and excludes it. Later rules are not tried.`;
    return apps.length ? "No rule matches, so the link opens in the browser." : "The file has no apps for links.";
}

/** `/applinks/details/0/components/2` is "Rule 3 of entry 1". */
export function placeName(pointer) {
    const [, entry, rule] = /\/details\/(\d+)\/(?:components|paths)\/(\d+)$/.exec(pointer) ?? [];
    return entry === undefined ? "The rule" : `Rule ${Number(rule) + 1} of entry ${Number(entry) + 1}`;
}
