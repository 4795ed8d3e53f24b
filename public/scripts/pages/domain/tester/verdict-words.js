import { patternText } from "../../../shared/words/pattern.js";
import { decision, placeName, sentence, verdict } from "../../../components/checking/verdict.js";

const waiting = { tone: "waiting", headline: "Type a URL", why: "See which app opens it, and by which rule." };

/**
 * An evaluation in words: `{ tone, headline, rule, place, why }`. `draft` is the draft document, or null for another
 * source. `why` continues `place`, the name of the draft's `rule` that decides.
 */
export function explain(evaluation, { apps, draft }) {
    if (!evaluation) return waiting;
    const rule = draft && decision(evaluation)?.rule;
    const place = decidingPlace(evaluation, draft);
    const why = sentence(evaluation, place).slice(rule ? place.length : 0);
    return { ...verdict(evaluation, (appID) => apps.name(appID)), rule, place: rule && place, why };
}

/** The deciding rule: "Rule 2 (/buy/*)"; with several entries "Rule 2 of entry 1 (/buy/*)". Null without one. */
export function decidingPlace(evaluation, draft) {
    const { rule, decidedBy } = decision(evaluation) ?? {};
    const found = rule && draft?.find(rule);
    if (!found) return decidedBy ? placeName(decidedBy) : null;
    const { entries } = draft.draft;
    const ofEntry = entries.length > 1 ? ` of entry ${entries.indexOf(found.entry) + 1}` : "";
    return `Rule ${found.position + 1}${ofEntry} (${patternText(found.rule)})`;
}

/** The result for one app of the file. Only the first installed app that matches opens the URL. */
export function outcomeWords({ app, outcome }, winner, winnerName) {
    if (outcome === "opens") return app === winner ? "opens it" : `opens it if ${winnerName} is not installed`;
    return outcome === "excluded" ? "excluded by a rule" : "no rule matches";
}

/** The result of an evaluation, as the expected result of a test. */
export function expectedOf({ outcome, app }) {
    return { outcome, ...(outcome === "opens" && { app }) };
}
