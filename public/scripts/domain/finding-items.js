import { clone, part } from "../template.js";

const severities = { error: "Error", warning: "Warning", notice: "Notice" };

/** Findings as list items, each with a link to the rule that it is about, where there is one. */
export function findingItems(findings, draftDocument) {
    return findings.map(({ code, severity, pointer, message, remedy }) => {
        const item = clone("finding", { severity: severities[severity] ?? severity, message, remedy, code });
        item.dataset.severity = severity;
        const rule = draftDocument && ruleAt(pointer, draftDocument.draft);
        part(item, "place").hidden = !rule;
        if (rule) part(item, "place").href = `#rule-${rule.id}`;
        part(item, "code").title = pointer || "the whole file";
        return item;
    });
}

/** `/applinks/details/0/components/2` is the third rule of the draft's first entry. */
function ruleAt(pointer, draft) {
    const [, entry, rule] = /^\/applinks\/details\/(\d+)\/components\/(\d+)/.exec(pointer) ?? [];
    return draft?.entries[entry]?.rules?.[rule] ?? null;
}
