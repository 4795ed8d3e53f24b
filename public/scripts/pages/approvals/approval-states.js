/** The words and the tone for the states of a request. */
export const approvalStates = {
    open: { words: "Needs approval", tone: "accent" },
    approved: { words: "Approved", tone: "good" },
    published: { words: "Published", tone: "good" },
    rejected: { words: "Rejected", tone: "bad" },
    cancelled: { words: "Cancelled", tone: "quiet" },
};

/** The drafts now generate other files than the requested ones. */
export const edited = { words: "Edited since the request", tone: "warning" };
