import { domainAddress } from "../../../shared/page/addresses.js";
import { urlCounts } from "../../../components/difference/outcome-groups.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { isUntouched } from "../../../shared/words/untouched.js";
import { blocking, fixOf, isSuspicious, showWhy, summary } from "../checks.js";

/**
 * Whether a reviewed domain can be published as things are, in the words of the footer: `{ words, tone, isBlocked,
 * fix }`. `choice` says whether it overrides and bypasses approvals, whether it is for now, when it is due, and which version it publishes, or
 * null.
 */
export function readiness(review, { overrides, bypasses, isNow, due, version }, slug) {
    const { domain, draft, changes, checks, problem, hasNothingToApprove } = review;
    if (isUntouched(draft)) {
        const fix = { words: "Add an app", href: domainAddress(slug, domain.host, "rules") };
        return { words: "Nothing to publish yet.", tone: "", isBlocked: true, fix };
    }
    if (problem) {
        const isForGood = problem.status === 409;
        const words = isForGood ? problemWords(problem) : "The checks run when you publish.";
        return { words, tone: "warning", isBlocked: isForGood };
    }
    const failed = blocking(checks.report, bypasses);
    if (failed.length) {
        const fix = failed.map(({ name }) => fixOf(name, slug, domain.host)).find(Boolean) ?? showWhy;
        const isOnlyApproval = failed.every(({ name }) => name === "approval") && !isSuspicious(checks.report);
        if (isOnlyApproval) return { words: "The file needs approval.", tone: "warning", isBlocked: true, fix };
        return { words: summary(checks.report), tone: "bad", isBlocked: true, fix };
    }
    if ((checks.unchanged && isNow) || hasNothingToApprove) {
        const fix = version ? null : fixOf("lint", slug, domain.host);
        return { words: "Nothing to publish: the live file is the same.", tone: "", isBlocked: true, fix };
    }
    if (isSuspicious(checks.report)) {
        const advice = "1 check failed. Override it with a reason, or edit the draft.";
        return { words: overrides ? "1 check is overridden." : advice, tone: "warning" };
    }
    if (domain.freeze && due && Date.parse(due) < Date.parse(domain.freeze.endsAt)) {
        const words = `A freeze until ${dueWords(domain.freeze.endsAt)} will suspend this.`;
        return { words: `${words} Choose a later time, or publish now.`, tone: "warning" };
    }
    // Links may stop opening an app, and only the reader knows whether that is meant.
    const tone = changes.difference && urlCounts(changes.difference).changed ? "" : "good";
    return { words: summary(checks.report), tone };
}
