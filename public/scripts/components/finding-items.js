import { clone, part } from "../shared/page/template.js";
import { severityOf } from "../shared/words/finding-words.js";
import { inPageWords, ruleAt } from "../shared/words/places.js";

/** Findings as list items, each with a link to its rule if there is one. */
export function findingItems(findings, draftDocument) {
    return findings.map(({ code, severity, pointer, message, remedy, page }) => {
        const item = clone("finding", { severity: severityOf(severity).name, message, remedy, code });
        item.dataset.severity = severity;
        const draft = draftDocument?.draft;
        part(item, "message").replaceChildren(...inPageWords(message, draft, pointer));
        const rule = ruleAt(pointer, draft);
        part(item, "place").hidden = !rule;
        if (rule) part(item, "place").href = `#rule-${rule.id}`;
        part(item, "code").href = page;
        part(item, "code").title = pointer || "the whole file";
        return item;
    });
}
