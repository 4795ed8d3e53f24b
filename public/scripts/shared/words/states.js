/**
 * The words and the badge's tone for every state. A state has the same words wherever it appears; the style guide lists
 * them. Tones: good is done, accent is in progress, warning needs a look, bad needs an action, quiet is neutral.
 */
const scheduled = { words: "Scheduled", tone: "accent" };
const goingLive = { words: "Going live", tone: "accent" };
const wentLive = { words: "Went live", tone: "good" };
const passed = { words: "Passed the checks", tone: "good" };
const refused = { words: "Failed the checks", tone: "bad" };
const unchanged = { words: "No changes", tone: "quiet" };
const failed = { words: "Failed", tone: "bad" };
const cancelled = { words: "Cancelled", tone: "quiet" };
const suspended = { words: "Suspended", tone: "bad" };

export const willBeSuspended = { words: "Will be suspended", tone: "warning" };
export const willBeCancelled = { words: "Will be cancelled", tone: "warning" };

export const domainStates = {
    alias: { words: "Alias", tone: "quiet" },
    unverified: { words: "Not verified", tone: "warning" },
    unpublished: { words: "Not published", tone: "quiet" },
    withdrawn: { words: "Withdrawn", tone: "quiet" },
    live: { words: "Live", tone: "good" },
    changed: { words: "Unpublished changes", tone: "accent" },
};

export const publicationStates = {
    queued: { words: "Queued", tone: "accent" },
    scheduled,
    running: goingLive,
    live: wentLive,
    failed,
    cancelled,
    superseded: { words: "Replaced by a newer one", tone: "quiet" },
    suspended,
};

export const releaseStates = {
    judging: { words: "Checking", tone: "accent" },
    scheduled,
    running: goingLive,
    live: wentLive,
    judged: passed,
    refused,
    unchanged,
    failed,
    cancelled,
    suspended,
};

/** The states of a domain of a release. */
export const releaseDomainStates = {
    waiting: { words: "Not checked yet", tone: "quiet" },
    refused,
    moved: { words: "Live version changed", tone: "warning" },
    passed,
    frozen: { words: "Ready", tone: "accent" },
    live: wentLive,
    unchanged,
    staying: { words: "Not rolled back", tone: "quiet" },
};

export const scheduleStates = {
    active: { words: "Active", tone: "good" },
    paused: { words: "Paused", tone: "quiet" },
    suspended,
    overdue: { words: "Overdue", tone: "warning" },
};

export const tokenStates = {
    active: { words: "Active", tone: "good" },
    ending: { words: "Ends soon", tone: "warning" },
    expired: { words: "Expired", tone: "quiet" },
    revoked: { words: "Revoked", tone: "quiet" },
};

/** The results of a domain in a run of a schedule. */
export const runOutcomes = {
    published: { words: "Published", tone: "good" },
    refused,
    failed,
    frozen: { words: "Skipped (freeze)", tone: "warning" },
};

export function showState(badge, { words, tone }) {
    badge.textContent = words;
    badge.dataset.tone = tone;
}
