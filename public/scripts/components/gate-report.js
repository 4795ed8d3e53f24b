import { clone, part } from "../shared/page/template.js";
import { findingItems } from "./finding-items.js";
import { actualText, outcomeText, systems } from "../shared/words/test-words.js";

/** The sentence for each check, and the one if it failed. */
const checks = {
    generate: ["The file can be generated", "The file cannot be generated"],
    parse: ["The file reads back unchanged", "The file changes when it is read back"],
    lint: ["The file has no errors", "The file has errors"],
    tests: ["All saved tests pass", "Saved tests fail"],
    size: ["The file is within Apple’s size limit", "The file is over Apple’s size limit"],
    verified: ["The domain is verified", "The domain is not verified"],
    similarity: ["The file is similar to the live one", "The file differs a lot from the live one"],
    approval: ["The file is approved", "The file needs approval"],
};
const blockedReasons = {
    alias: "The domain has no file of its own",
    withdrawal: "The host is being withdrawn",
};
const outcomes = { passed: "Passed", failed: "Failed", overridden: "Overridden", informative: "For information" };

/** The sentence for a check, or for another reason why a domain cannot be part of a release. */
function checkWords(name, outcome) {
    const [passes, fails] = checks[name] ?? [];
    return (outcome === "failed" ? fails : passes) ?? blockedReasons[name] ?? name;
}

/** A line for each check that failed: `{ check, detail }`. */
export function failureItems(failures) {
    return failures.map(({ check, detail }) => checkItem({ name: check, outcome: "failed", detail }));
}

/**
 * Shows the report of the checks: each with its outcome, then the failing tests and the findings. `document` is the
 * draft that was checked; null if a version was checked.
 */
export function showReport(root, report, { apps, document }) {
    part(root, "checks").replaceChildren(...report.checks.map(checkItem));
    showFound(root, report, { apps, document });
}

/** Shows the part of the report that says what to fix: the failing tests and the findings. */
export function showFound(root, report, { apps, document }) {
    showFailedTests(root, report.tests?.failures ?? [], apps, document?.draft);
    part(root, "report-findings").replaceChildren(...findingItems(report.findings ?? [], document));
}

/** Shows the tests that fail, if any. `draft` names the rules; null for a version. */
export function showFailedTests(root, failures, apps, draft) {
    part(root, "failed-tests").hidden = failures.length === 0;
    part(root, "failed-tests").replaceChildren(...failures.map((each) => failedTest(each, apps, draft)));
}

/** A line for a check. */
export function checkItem({ name, outcome, detail }) {
    const item = clone("check", { check: checkWords(name, outcome), outcome: outcomes[outcome] ?? outcome, detail });
    item.dataset.outcome = outcome;
    return item;
}

function failedTest(result, apps, draft) {
    return clone("failed-test", {
        url: result.url,
        os: result.os === "ios14" ? null : `on ${systems[result.os] ?? result.os}`,
        expected: outcomeText(result.expected, apps),
        actual: actualText(result, apps, draft),
    });
}
