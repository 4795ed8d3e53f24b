import { patternText } from "../../../shared/words/pattern.js";
import { decidingApp } from "../rules/rule-row.js";

/** A verdict in plain words: `{ headline, why }`. `source` is what was asked, the draft or what is live. */
export function explain(evaluation, { document, apps, source }) {
    if (!evaluation) return { headline: "Type a URL", why: "You will see which app opens it, and which rule decides." };
    if (evaluation.reason) return { headline: "Not a universal link", why: evaluation.reason };
    if (source === "live") return { headline: headline(evaluation, apps), why: "So says the version that is live." };
    return { headline: headline(evaluation, apps), why: whyInDraft(evaluation, document) };
}

const doubts = {
    reported: "Apple does not document this: it is known from reports only.",
    inferred: "Apple does not document this: it is concluded from what is known.",
    unknown: "Nobody has shown how Apple’s systems do this.",
};

/** Why a verdict is less than certain; null where it is certain, or where the service does not say. */
export function doubt(evaluation) {
    return doubts[evaluation?.certainty] ?? null;
}

/** What the file says to one of its apps; only the first that matches is asked to open the URL. */
export function outcomeWords({ app, outcome }, winner) {
    if (outcome === "opens") return app === winner ? "opens it" : "matches too, but comes later";
    return outcome === "excluded" ? "kept out by a rule" : "no rule matches";
}

function headline({ outcome, app }, apps) {
    return { opens: `Opens ${apps.name(app)}`, excluded: "Stays on the web", none: "No app opens it" }[outcome];
}

function whyInDraft(evaluation, document) {
    const place = decidingPlace(evaluation, document);
    const { outcome } = evaluation;
    if (outcome === "opens" && !place) return "Its entry has no rules, so it takes every URL.";
    if (outcome === "opens") return `${place} is the first that matches.`;
    if (outcome === "excluded") return `${place} matches first and excludes it; rules below are not looked at.`;
    return document.draft.entries.length
        ? "No rule matches, so the link opens in the browser."
        : "The draft names no app yet.";
}

/** "Rule 2, /buy/*," of the app that the verdict is about; with several entries "Rule 2 of entry 1, /buy/*,". */
function decidingPlace(evaluation, document) {
    const winner = decidingApp(evaluation);
    const decided = evaluation.apps.find(({ app, outcome }) => app === winner && outcome === evaluation.outcome);
    const found = decided?.rule && document.find(decided.rule);
    if (!found) return null;
    const { entries } = document.draft;
    const ofEntry = entries.length > 1 ? ` of entry ${entries.indexOf(found.entry) + 1}` : "";
    return `Rule ${found.position + 1}${ofEntry}, ${patternText(found.rule)},`;
}
