import { count } from "../shared/words/numbers.js";
import { clone, part } from "../shared/page/template.js";
import { findingItems } from "./finding-items.js";
import { actualText, outcomeText, systems } from "../shared/words/test-words.js";

const checks = {
    generate: "The file can be generated",
    parse: "The file reads back unchanged",
    lint: "The file has no errors",
    tests: "All saved tests pass",
    size: "The file is within Apple’s size limit",
    verified: "The domain is verified",
    similarity: "Not suspiciously different from the live file",
};
const blockedReasons = {
    alias: "The domain has its own file",
    withdrawal: "The host is not being withdrawn",
};
const outcomes = { passed: "Passed", failed: "Failed", overridden: "Overridden", informative: "For information" };

/** The words for a check, or for another reason why a domain cannot be part of a release. */
function checkWords(name) {
    return checks[name] ?? blockedReasons[name] ?? name;
}

/** A line for each check that failed: `{ check, detail }`. */
export function failureItems(failures) {
    return failures.map(({ check, detail }) => checkItem(checkWords(check), "failed", detail));
}

/** "Not published: 2 checks failed" */
export function refusalTitle({ checks }) {
    return `Not published: ${count(checks.filter(({ outcome }) => outcome === "failed").length, "check")} failed`;
}

/**
 * Shows the report of the checks: each with its outcome, then the failing tests and the findings. `document` is the
 * draft that was checked; null if a version was checked.
 */
export function showReport(root, report, { apps, document }) {
    part(root, "checks").replaceChildren(
        ...report.checks.map(({ name, outcome, detail }) => checkItem(checkWords(name), outcome, detail)),
    );
    showFound(root, report, { apps, document });
}

/** Shows the part of the report that says what to fix: the failing tests and the findings. */
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

/** Only the comparison with the live file can be overridden, because it finds only a suspicion, not an error. */
export function canBeOverridden(report) {
    const failed = report.checks.filter(({ outcome }) => outcome === "failed");
    return failed.length > 0 && failed.every(({ name }) => name === "similarity");
}
