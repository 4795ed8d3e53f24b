/** The words and the badge's tone for each state of a domain. */
export const domainStates = {
    alias: { words: "Alias", tone: "quiet" },
    unverified: { words: "Not verified", tone: "warning" },
    unpublished: { words: "Not published", tone: "quiet" },
    withdrawn: { words: "Withdrawn", tone: "quiet" },
    live: { words: "Live", tone: "good" },
    changed: { words: "Unpublished changes", tone: "accent" },
};

export function showState(badge, state) {
    const { words, tone } = domainStates[state] ?? { words: state, tone: "quiet" };
    badge.textContent = words;
    badge.dataset.tone = tone;
}
