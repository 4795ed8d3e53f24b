import { clone, part } from "../../../shared/page/template.js";
import { grouped } from "../../../components/checking/finding-groups.js";
import { severityOf } from "../../../shared/words/finding-words.js";
import { inPageWords } from "../../../shared/words/places.js";

/** The findings of a rule, in its row: worst first, equal ones once. `mend` applies a fix. */
export function showRuleFindings(list, findings, { draft, mend }) {
    const groups = grouped(findings, ({ code, message }) => code + message);
    list.replaceChildren(...groups.map(({ finding, count }) => item(finding, count, draft, mend)));
}

function item({ code, severity, pointer, message, remedy, fix, page }, count, draft, mend) {
    const element = clone("row-finding", {
        severity: severityOf(severity).name,
        remedy: fix ? null : remedy,
        count: count > 1 ? `${count} times` : null,
        fix: fix ? `Fix: ${fix.title}` : null,
        code,
    });
    element.dataset.severity = severity;
    part(element, "message").replaceChildren(...inPageWords(message, draft, pointer));
    part(element, "code").href = page;
    part(element, "fix").addEventListener("click", () => mend(fix));
    for (const control of element.querySelectorAll("a, button")) control.tabIndex = -1;
    return element;
}
