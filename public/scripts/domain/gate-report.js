import { clone, part } from "../template.js";
import { findingItems } from "./finding-items.js";
import { actualText, outcomeText, systems } from "./test-words.js";

const checks = {
    generate: "The file can be generated",
    parse: "Read back, it says the same",
    lint: "No errors in the file",
    tests: "Every saved test passes",
    size: "Within Apple's size limit",
    verified: "The domain is verified",
    similarity: "Not suspiciously different from what is live",
};
const outcomes = { passed: "Passed", failed: "Failed", overridden: "Overridden", informative: "For information" };

/**
 * The gate's report: every check with its outcome, the tests that fail, and the findings. `document` is the draft that
 * was judged; null where it was a version.
 */
export function showReport(root, report, { apps, document }) {
    part(root, "checks").replaceChildren(
        ...report.checks.map(({ name, outcome, detail }) => {
            const item = clone("check", { check: checks[name] ?? name, outcome: outcomes[outcome] ?? outcome, detail });
            item.dataset.outcome = outcome;
            return item;
        }),
    );
    const failures = report.tests?.failures ?? [];
    part(root, "failed-tests").hidden = failures.length === 0;
    part(root, "failed-tests").replaceChildren(...failures.map((each) => failedTest(each, apps, document?.draft)));
    part(root, "report-findings").replaceChildren(...findingItems(report.findings ?? [], document));
}

function failedTest(result, apps, draft) {
    return clone("failed-test", {
        url: result.url,
        os: result.os === "ios14" ? null : `on ${systems[result.os] ?? result.os}`,
        expected: outcomeText(result.expected, apps),
        actual: actualText(result, apps, draft),
    });
}

/** Only the comparison with what is live can be overridden: it is a suspicion, the others are facts. */
export function canBeOverridden(report) {
    const failed = report.checks.filter(({ outcome }) => outcome === "failed");
    return failed.length > 0 && failed.every(({ name }) => name === "similarity");
}
