import { at } from "../../../shared/api/api.js";
import { ruleAt } from "../../../shared/words/places.js";

/**
 * Evaluates URLs against the draft, or against the draft with unsaved input. The answer is that of the domain's
 * evaluations, also for a preview, whose rules are named by their places.
 */
export async function evaluateDraft({ api, host, document }, question, options) {
    const { preview } = document;
    if (!preview) return api.post(at`/domains/${host}/evaluations`, { ...question, source: "draft" }, options);
    const answer = await api.post("/evaluations", { ...question, aasa: preview.file, domain: host }, options);
    for (const { apps } of answer.body.evaluations) {
        for (const verdict of apps) verdict.rule = ruleAt(verdict.decidedBy, preview.view.draft)?.id;
    }
    return answer;
}
