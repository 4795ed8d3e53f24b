import { patternText } from "../../../shared/words/pattern.js";
import { decidingApp } from "../rules/rule-row.js";

/** An evaluation in words: `{ headline, why }`. `source` is `draft` or `live`. */
export function explain(evaluation, { document, apps, source }) {
    if (!evaluation) return { headline: "Type a URL", why: "See which app opens it, and which rule decides." };
    if (evaluation.reason) return { headline: "Not a universal link", why: evaluation.reason };
    if (source === "live") return { headline: headline(evaluation, apps), why: "Result for the live version." };
    return { headline: headline(evaluation, apps), why: whyInDraft(evaluation, document) };
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

/** The result for one app of the file. Only the first installed app that matches opens the URL. */
export function outcomeWords({ app, outcome }, winner, winnerName) {
    if (outcome === "opens") return app === winner ? "opens it" : `opens it if ${winnerName} is not installed`;
    return outcome === "excluded" ? "excluded by a rule" : "no rule matches";
}

function headline({ outcome, app }, apps) {
    return { opens: `Opens ${apps.name(app)}`, excluded: "Stays on the web", none: "No app opens it" }[outcome];
}

function whyInDraft(evaluation, document) {
    const place = decidingPlace(evaluation, document);
    const { outcome } = evaluation;
    if (outcome === "opens" && !place) return "Its entry has no rules, so it opens every URL.";
    if (outcome === "opens") return `${place} is the first rule that matches.`;
    if (outcome === "excluded") return `${place} matches first and excludes it. Later rules are not tried.`;
    return document.draft.entries.length
        ? "No rule matches, so the link opens in the browser."
        : "The draft has no apps yet.";
}

/** The deciding rule: "Rule 2 (/buy/*)"; with several entries "Rule 2 of entry 1 (/buy/*)". */
function decidingPlace(evaluation, document) {
    const winner = decidingApp(evaluation);
    const decided = evaluation.apps.find(({ app, outcome }) => app === winner && outcome === evaluation.outcome);
    const found = decided?.rule && document.find(decided.rule);
    if (!found) return null;
    const { entries } = document.draft;
    const ofEntry = entries.length > 1 ? ` of entry ${entries.indexOf(found.entry) + 1}` : "";
    return `Rule ${found.position + 1}${ofEntry} (${patternText(found.rule)})`;
}
