import { checkItem } from "../../../components/gate-report.js";
import { count, list, number } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { blocking, isSuspicious, showItems, showWhy } from "../checks.js";
import { part } from "../../../shared/page/template.js";

const names = ["generate", "parse", "lint", "tests", "size", "verified", "similarity", "approval"];
const maximumHosts = 3;

/**
 * Shows the checks of all domains of a release together: each passes on all of them, or fails on the named ones.
 * Without domains there is nothing to show. Returns the words for the footer. `bypasses` says whether missing approvals
 * are bypassed.
 */
export function showReleaseChecks(page, { loaded, total, nothing, isUnknown }, bypasses) {
    const changing = loaded.filter(({ changes, problem, isEmpty }) => changes || problem || isEmpty);
    const checked = changing.filter(({ checks }) => checks);
    const root = part(page.main, "checks-panel");
    root.hidden = total === 0;
    if (!total) return { words: nothing, tone: "", isBlocked: !isUnknown };
    const present = names.filter((name) => checked.some(({ checks }) => checks.report.checks.some((check) => check.name === name)));
    showItems(root, present.map((name) => item(name, checked)));
    const said = readiness(changing, checked, { loaded: loaded.length, total, bypasses });
    part(root, "checks-summary").textContent = checked.length ? "" : said.words;
    return said;
}

/** The domains that cannot be published, with the reason of each: `[{ host, reason }]`. */
export function failing(loaded, bypasses) {
    return loaded.flatMap(({ host, problem, checks, isEmpty }) => {
        if (isEmpty) return [{ host, reason: "It has no rules yet." }];
        if (problem?.status === 409) return [{ host, reason: words(problem) }];
        const failed = checks ? blocking(checks.report, bypasses) : [];
        return failed.length ? [{ host, reason: failed.map((check) => detailOf(check, checks.report)).join(" ") }] : [];
    });
}

/** The domains whose files lack approvals, among the loaded ones. */
export function lackingApproval(loaded) {
    return loaded.filter(({ checks }) =>
        checks?.report.checks.some(({ name, outcome }) => name === "approval" && outcome === "failed"),
    );
}

function item(name, checked) {
    const of = ({ checks }) => checks.report.checks.find((check) => check.name === name);
    const failed = checked.filter((each) => of(each)?.outcome === "failed");
    const domains = checked.length === 1 ? "1 domain" : `all ${number(checked.length)} domains`;
    if (!failed.length) return checkItem({ name, outcome: "passed", detail: `On ${domains}.` });
    const hosts = failed.map(({ host }) => host);
    const more = hosts.length - maximumHosts;
    const named = more > 0 ? [...hosts.slice(0, maximumHosts), count(more, "other")] : hosts;
    const where = `On ${number(failed.length)} of ${count(checked.length, "domain")}: ${list(named)}.`;
    // The list of failing domains has the other details.
    const details = new Set(failed.map((each) => detailOf(of(each), each.checks.report)));
    const isTold = name === "similarity" || (name === "lint" && details.size === 1);
    return checkItem({ name, outcome: "failed", detail: isTold ? `${where} ${[...details][0]}` : where });
}

/** What a check found. For errors of the file, that is the first one, and how many more there are. */
function detailOf({ name, detail }, { findings }) {
    const errors = name === "lint" ? findings.filter(({ severity }) => severity === "error") : [];
    if (!errors.length) return detail;
    const more = errors.length - 1;
    return more ? `${errors[0].message} And ${count(more, "more error")}.` : errors[0].message;
}

function readiness(changing, checked, { loaded, total, bypasses }) {
    if (!loaded) return { words: "Checking…", tone: "", isBlocked: true };
    const failed = failing(changing, bypasses);
    const unread = changing.filter(({ problem }) => problem && problem.status !== 409);
    const rest = loaded < total ? ` ${count(total - loaded, "more domain")} checked when you publish.` : "";
    if (failed.length && changing.every(({ isEmpty }) => isEmpty)) {
        return { words: `Nothing to publish yet.${rest}`, tone: "", isBlocked: true };
    }
    if (failed.length) {
        const many = `${number(failed.length)} of ${count(changing.length, "domain")} cannot be published.`;
        const advice = failed.length === 1 ? "Fix it or leave it out." : "Fix them or leave them out.";
        return { words: `${many} ${advice}`, tone: "bad", isBlocked: true, fix: showWhy };
    }
    // Publishing then reports an unknown host at its field.
    if (unread.length) return { words: `${count(unread.length, "domain")} could not be compared.`, tone: "warning" };
    if (checked.length < changing.length) return { words: "The checks run when you publish.", tone: "warning" };
    if (!changing.length) return { words: `No domain has changes.${rest}`, tone: "" };
    const suspicious = checked.filter(({ checks }) => isSuspicious(checks.report));
    if (suspicious.length) {
        return { words: `Override ${count(suspicious.length, "domain")} with a reason.${rest}`, tone: "warning" };
    }
    const unapproved = lackingApproval(checked).length;
    if (unapproved) {
        const are = `${count(unapproved, "domain")} ${unapproved === 1 ? "is" : "are"}`;
        return { words: `${are} published without the approvals.${rest}`, tone: "warning" };
    }
    return { words: `All checks pass on ${count(checked.length, "domain")}.${rest}`, tone: "good" };
}
