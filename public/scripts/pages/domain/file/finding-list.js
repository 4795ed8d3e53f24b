import { grouped } from "../../../components/checking/finding-groups.js";
import { findingItems } from "../../../components/finding-items.js";
import { count } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";

/** The findings of the file: worst first, one item for each code, and the others of that code below it. */
export function findingGroups(findings, page) {
    return grouped(findings).map(({ finding }) => {
        const others = findings.filter((each) => each !== finding && each.code === finding.code);
        const group = clone("finding-group", {
            fix: finding.fix ? `Fix: ${finding.fix.title}` : null,
            "others-title": `${count(others.length, "more place", "more places")}`,
        });
        group.id = `finding-${finding.code}`;
        part(group, "worst").append(...findingItems([finding], page.document));
        part(group, "fix").addEventListener("click", () => page.mend(finding.fix));
        const details = part(group, "others");
        details.hidden = others.length === 0;
        details.addEventListener("toggle", () => {
            part(group, "other-list").replaceChildren(...(details.open ? findingItems(others, page.document) : []));
        });
        return group;
    });
}
