import { clone, part } from "../template.js";
import { findingItems } from "./finding-items.js";

const checks = {
    generate: "The file can be generated",
    parse: "Read back, it says the same",
    lint: "No errors in the file",
    size: "Within Apple's size limit",
    verified: "The domain is verified",
    similarity: "Not suspiciously different from what is live",
};
const outcomes = { passed: "Passed", failed: "Failed", overridden: "Overridden", informative: "For information" };

/** The gate's report: every check with its outcome, and the findings. */
export function showReport(root, report, draftDocument) {
    part(root, "checks").replaceChildren(
        ...report.checks.map(({ name, outcome, detail }) => {
            const item = clone("check", { check: checks[name] ?? name, outcome: outcomes[outcome] ?? outcome, detail });
            item.dataset.outcome = outcome;
            return item;
        }),
    );
    part(root, "report-findings").replaceChildren(...findingItems(report.findings ?? [], draftDocument));
}

/** Only the comparison with what is live can be overridden: it is a suspicion, the others are facts. */
export function canBeOverridden(report) {
    const failed = report.checks.filter(({ outcome }) => outcome === "failed");
    return failed.length > 0 && failed.every(({ name }) => name === "similarity");
}
