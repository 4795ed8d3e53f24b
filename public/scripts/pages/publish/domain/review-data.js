import { at } from "../../../shared/api/api.js";
import { compareDraft, compareVersions, theLiveFile } from "../../../components/difference/comparing.js";

/**
 * All that a review shows, of one revision of the draft or of a version: `{ domain, etag, draft, changes, checks,
 * problem }`. Publishing names the revision by its ETag, so nothing unseen goes live. `problem` is set if the checks
 * could not run. The checks are for the time `due`, null for now.
 */
export async function loadReview(page, version, due = null) {
    const { api, host } = page;
    const path = at`/domains/${host}`;
    const [{ body: domain }, draft] = await Promise.all([api.get(path), version ? null : api.get(`${path}/draft`)]);
    const live = domain.live?.version ?? null;
    const [changes, checks] = await Promise.all([
        version ? compareVersions(page, live, version) : compareDraft(page, live),
        readChecks(page, version, due),
    ]);
    return {
        domain,
        etag: draft?.etag ?? null,
        draft: draft?.body ?? null,
        changes: { ...changes, against: theLiveFile },
        ...checks,
    };
}

/**
 * The review without the failed check of the approvals if the file is live already: then nothing can be approved, and a
 * request is refused. `hasNothingToApprove` says so.
 */
export function withoutNeedlessApproval(review, version) {
    const { domain, checks } = review;
    const isLive = checks?.unchanged || (!version && domain.live && !domain.draft?.changed);
    const needsApproval = checks?.report.checks.some(({ name, outcome }) => name === "approval" && outcome === "failed");
    if (!isLive || !needsApproval) return { ...review, hasNothingToApprove: false };
    const report = { ...checks.report, checks: checks.report.checks.filter(({ name }) => name !== "approval") };
    return { ...review, checks: { ...checks, report }, hasNothingToApprove: true };
}

/**
 * The report of the checks, for now or for the time when it is due: another file may be live by then. They run without
 * saving or publishing anything.
 */
export async function readChecks({ api, host }, version, due) {
    try {
        const wanted = { ...(version && { version }), ...(due && { at: due }) };
        const { body } = await api.post(at`/domains/${host}/publication-checks`, wanted);
        return { checks: body, problem: null };
    } catch (problem) {
        return { checks: null, problem };
    }
}
