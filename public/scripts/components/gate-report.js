import { clone, part } from "../shared/page/template.js";
import { findingItems } from "./finding-items.js";
import { actualText, outcomeText, systems } from "../shared/words/test-words.js";

const checks = {
    generate: "The file can be generated",
    parse: "Read back, it says the same",
    lint: "No errors in the file",
    tests: "Every saved test passes",
    size: "Within Apple's size limit",
    verified: "The domain is verified",
    similarity: "Not suspiciously different from what is live",
};
const blockedReasons = {
    alias: "The domain has a file of its own",
    withdrawal: "The host is not being withdrawn",
};
const outcomes = { passed: "Passed", failed: "Failed", overridden: "Overridden", informative: "For information" };

/** What a check of the gate asks, and what may stand in the way of a release besides. */
function checkWords(name) {
    return checks[name] ?? blockedReasons[name] ?? name;
}

/** A line for each check that failed: `{ check, detail }`. */
export function failureItems(failures) {
    return failures.map(({ check, detail }) => checkItem(checkWords(check), "failed", detail));
}

/**
 * The gate's report: every check with its outcome, the tests that fail, and the findings. `document` is the draft that
 * was judged; null where it was a version.
 */
export function showReport(root, report, { apps, document }) {
    part(root, "checks").replaceChildren(
        ...report.checks.map(({ name, outcome, detail }) => checkItem(checkWords(name), outcome, detail)),
    );
    showFound(root, report, { apps, document });
}

/** The part of the report that says what is to be mended: the tests that fail, and the findings. */
export function showFound(root, report, { apps, document }) {
    const failures = report.tests?.failures ?? [];
    part(root, "failed-tests").hidden = failures.length === 0;
    part(root, "failed-tests").replaceChildren(...failures.map((each) => failedTest(each, apps, document?.draft)));
    part(root, "report-findings").replaceChildren(...findingItems(report.findings ?? [], document));
}

function checkItem(check, outcome, detail) {
    const item = clone("check", { check, outcome: outcomes[outcome] ?? outcome, detail });
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

/** Only the comparison with what is live can be overridden: it is a suspicion, the others are facts. */
export function canBeOverridden(report) {
    const failed = report.checks.filter(({ outcome }) => outcome === "failed");
    return failed.length > 0 && failed.every(({ name }) => name === "similarity");
}
