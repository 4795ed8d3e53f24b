import { number } from "../../shared/words/numbers.js";

/** An evaluation in short: the outcome for its colour, and a headline. `name` gives the name of an app. */
export function verdict({ outcome, app, reason }, name = (appID) => appID) {
    if (reason) return { tone: "ineligible", headline: "Not a universal link" };
    const headlines = { opens: `Opens ${name(app)}`, excluded: "Stays on the web", none: "No app opens it" };
    return { tone: outcome, headline: headlines[outcome] };
}

/**
 * The verdict of the app that decides: the one that opens the URL, or else one that is excluded; null if no rule
 * matches. `decidedBy` is the JSON Pointer of its rule, or null for an entry that opens every URL.
 */
export function decision({ outcome, app, apps, reason }) {
    if (reason || outcome === "none") return null;
    return apps.find((each) => each.outcome === outcome && (!app || each.app === app)) ?? null;
}

/** Why, for an evaluation without a trace. `place` names the deciding rule. */
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
    return entry === undefined ? "The rule" : `Rule ${number(Number(rule) + 1)} of entry ${number(Number(entry) + 1)}`;
}

const uncertainties = {
    reported: "Apple has not documented this. It is known from reports only.",
    inferred: "Apple has not documented this. It is inferred from related behaviour.",
    unknown: "How Apple’s systems behave here is not known.",
};

/** Why a result is not certain; null if it is, or if the service does not say. */
export function uncertainty(evaluation) {
    return uncertainties[evaluation?.certainty] ?? null;
}
