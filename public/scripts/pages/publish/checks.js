import { domainAddress } from "../../shared/page/addresses.js";
import { checkItem, showFailedTests } from "../../components/gate-report.js";
import { findingItems } from "../../components/finding-items.js";
import { announce } from "../../components/announce.js";
import { onPress } from "../../shared/forms/form.js";
import { count } from "../../shared/words/numbers.js";
import { words } from "../../shared/api/problem.js";
import { fill, part } from "../../shared/page/template.js";
import { offerBypass } from "./approval-bypass.js";
import { approvalNote, showApproval } from "./approval-check.js";
import { overrideNow } from "./override.js";

/**
 * Shows the checks of a domain before publishing: each with its outcome, its detail and its fix. `document` is the
 * draft that was checked, or null. `verify` marks the host as verified. `hasNothingToApprove` is true for a live file.
 */
export function showChecks(page, report, { document, verify, hasNothingToApprove }) {
    const root = part(page.main, "checks-panel");
    const slug = page.session.organization.slug;
    part(root, "checks-retry").hidden = true;
    part(root, "checks-summary").textContent = "";
    const items = report.checks.map((check) => {
        const item = checkItem(check);
        if (check.outcome === "failed") showFix(item, check.name, { page, slug, verify });
        return item;
    });
    const approval = report.checks.find(({ name }) => name === "approval");
    if (approval?.outcome !== "failed") offerBypass(part(page.main, "form"), false);
    fill(page.main, { "approval-note": hasNothingToApprove ? null : approvalNote(approval) });
    showItems(root, items);
    showFailedTests(root, report.tests?.failures ?? [], page.apps, document?.draft);
    showFindings(root, report.findings, document, domainAddress(slug, page.host, "rules"));
}

/** Shows the checks that need attention, the failed ones first, and folds the passed ones into a line. */
export function showItems(root, items) {
    const passed = items.filter(({ dataset }) => dataset.outcome === "passed");
    const others = items.filter((item) => !passed.includes(item));
    part(root, "checks").replaceChildren(...others.toSorted(byOutcome));
    part(root, "passed").hidden = passed.length === 0;
    part(root, "passed-words").textContent = `${count(passed.length, "check")} passed`;
    part(root, "passed-checks").replaceChildren(...passed);
}

function byOutcome(one, other) {
    return (other.dataset.outcome === "failed") - (one.dataset.outcome === "failed");
}

/** Shows that the checks could not run: the domain cannot be published, or Waymark does not answer. */
export function showNoChecks(page, problem) {
    const later = problem.status === 409 ? "" : " The checks run again when you publish.";
    showInstead(page, words(problem) + later, { canRetry: true });
}

/** Shows that there is nothing to check yet, because the draft is still empty. */
export function showNothingYet(page) {
    showInstead(page, "Nothing to check yet. Add an app and its rules, or import a file.", { canRetry: false });
}

function showInstead(page, text, { canRetry }) {
    const root = part(page.main, "checks-panel");
    part(root, "checks-summary").textContent = text;
    part(root, "checks-retry").hidden = !canRetry;
    showItems(root, []);
    for (const name of ["errors", "report-findings"]) part(root, name).replaceChildren();
    for (const name of ["failed-tests", "other-findings"]) part(root, name).hidden = true;
}

/** The failed checks of a report that block publishing. The similarity can be overridden, approvals bypassed. */
export function blocking(report, bypasses = false) {
    const passable = ["similarity", ...(bypasses ? ["approval"] : [])];
    return report.checks.filter(({ name, outcome }) => outcome === "failed" && !passable.includes(name));
}

/** Whether the file differs suspiciously from the live one, so that publishing needs an override. */
export function isSuspicious(report) {
    return report.checks.some(({ name, outcome }) => name === "similarity" && outcome === "failed");
}

/** "All 7 checks pass.", "2 of 7 checks failed.", or how many are for information, which block nothing. */
export function summary({ checks }) {
    const failed = checks.filter(({ outcome }) => outcome === "failed").length;
    const informative = checks.filter(({ outcome }) => outcome === "informative").length;
    if (failed) return `${failed} of ${count(checks.length, "check")} failed.`;
    if (informative) return `No check failed. ${count(informative, "result")} for information.`;
    return `All ${count(checks.length, "check")} pass.`;
}

/** The link to the checks, which are far below long changes on a narrow screen. */
export const showWhy = { words: "Show why", href: "#checks-title" };

/** Where to fix a failed check: `{ words, href }`, or null. */
export function fixOf(name, slug, host) {
    const [words, place] = places[name] ?? [];
    return words ? { words, href: domainAddress(slug, host, place) } : null;
}

/** The most warnings that are shown unfolded, because a file can have hundreds. */
const maximumWarnings = 5;

const places = {
    generate: ["Edit the rules", "rules"],
    lint: ["Edit the rules", "rules"],
    size: ["Edit the rules", "rules"],
    tests: ["Open the tests", "tests"],
};

const advice = {
    parse: "This is a bug in Waymark. Please report it.",
    size: "Merge rules, or remove rules that no link needs.",
    similarity: `If this is intended, choose “${overrideNow}” below and give a reason.`,
};

function showFix(item, name, { page, slug, verify }) {
    const fix = fixOf(name, slug, page.host);
    part(item, "fix").hidden = false;
    part(item, "fix-words").hidden = !advice[name];
    part(item, "fix-words").textContent = advice[name] ?? "";
    part(item, "fix-link").hidden = !fix;
    if (fix) Object.assign(part(item, "fix-link"), { textContent: fix.words, href: fix.href });
    if (name === "verified") showVerification(item, { page, slug, verify });
    if (name === "approval") showApproval(item, page).catch((problem) => announce(words(problem)));
}

/** Only a local installation marks a host as verified; elsewhere the operator does. */
function showVerification(item, { page, slug, verify }) {
    const { local } = page.session.me.installation;
    const button = part(item, "fix-button");
    button.hidden = !local || !page.session.can("verifyDomain");
    button.textContent = "Mark verified (local)";
    onPress(button, verify, (problem) => announce(words(problem)));
    if (local) return;
    part(item, "fix-words").hidden = part(item, "fix-command").hidden = false;
    part(item, "fix-words").textContent = "The operator of this Waymark verifies it with";
    part(item, "fix-command").textContent = `waymark domain verify --organization ${slug} ${page.host}`;
}

function showFindings(root, findings, document, rules) {
    const items = (all) => {
        const made = findingItems(all, document);
        // The rules are on the domain's page.
        for (const item of made) {
            for (const link of item.querySelectorAll("a[href^='#']")) link.href = rules + link.getAttribute("href");
        }
        return made;
    };
    const errors = findings.filter(({ severity }) => severity === "error");
    const warnings = findings.filter(({ severity }) => severity === "warning").slice(0, maximumWarnings);
    const others = findings.filter((each) => !errors.includes(each) && !warnings.includes(each));
    part(root, "errors").replaceChildren(...items([...errors, ...warnings]));
    part(root, "other-findings").hidden = others.length === 0;
    part(root, "other-findings-words").textContent = count(others.length, "other finding");
    part(root, "report-findings").replaceChildren(...items(others));
}
