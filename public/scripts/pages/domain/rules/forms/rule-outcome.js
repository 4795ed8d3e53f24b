import { shortURL } from "../../../../components/checking/typed-urls.js";
import { decision } from "../../../../components/checking/verdict.js";
import { Newest } from "../../../../shared/following/newest.js";
import { fill, part } from "../../../../shared/page/template.js";
import { evaluateDraft } from "../../draft/evaluate-draft.js";
import { sampleURL } from "../../tester/samples.js";
import { decidingPlace, explain } from "../../tester/verdict-words.js";

/**
 * Says in the form of a rule what the rule will do: to the URL in the tester if this rule decides about it, or else to
 * an example URL of its pattern, until `signal`. `read` returns the rule in the form, with its ID in the preview. Returns
 * a function that takes each new evaluation of the tester, or null.
 */
export function followOutcome(page, form, signal, read) {
    const asking = new Newest();
    signal.addEventListener("abort", () => asking.stop());
    return (tested) => {
        const { id, ...rule } = read();
        const { shown } = page.document;
        const show = (evaluation, kind) => showOutcome(page, form, evaluation, { kind, id });
        asking.stop();
        if (tested && decision(tested)?.rule === id) return show(tested, "Tested URL");
        const url = shown.find(id) && sampleURL(page.host, shown.draft, rule);
        if (!url) return show(null);
        asking.ask((signal) => evaluateDraft(page, { urls: [url] }, { signal }), {
            answered: ({ body }) => show(body.evaluations[0], "Example URL"),
            failed: () => show(null),
        });
    };
}

function showOutcome({ apps, document, host }, form, evaluation, { kind, id }) {
    const place = part(form, "outcome");
    place.hidden = !evaluation;
    if (!evaluation) return;
    const { tone, headline } = explain(evaluation, { apps, draft: document.shown });
    const other = decision(evaluation)?.rule !== id && decidingPlace(evaluation, document.shown);
    place.dataset.outcome = tone;
    fill(place, {
        "outcome-kind": kind,
        "outcome-url": shortURL(evaluation.url, host),
        "outcome-words": headline,
        "outcome-why": other ? `${other} matches first.` : null,
    });
}
