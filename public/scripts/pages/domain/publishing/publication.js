import { at } from "../../../shared/api/api.js";
import { pause } from "../../../shared/following/later.js";

/** The states of a publication in words for people, and the badge's tone. */
export const publicationStates = {
    scheduled: { words: "Waiting for its turn", tone: "accent" },
    running: { words: "Going live", tone: "accent" },
    live: { words: "Went live", tone: "good" },
    failed: { words: "Failed", tone: "bad" },
    cancelled: { words: "Cancelled", tone: "quiet" },
    superseded: { words: "Overtaken by a later one", tone: "quiet" },
    suspended: { words: "Suspended", tone: "warning" },
};

const willBeSuspended = { words: "Will be suspended", tone: "warning" };
const willBeCancelled = { words: "Will be cancelled", tone: "warning" };
const scheduled = { words: "Scheduled", tone: "accent" };

/** Whether it waits for a time at which, as things are, it will not go live. */
export function isHeld({ state, blockedReason, freeze }) {
    return state === "scheduled" && Boolean(blockedReason || freeze);
}

/** The words and the tone of its state: one that waits is only called scheduled if it will go live as things are. */
export function standingOf(publication) {
    const { state, at: due, blockedReason, reverts } = publication;
    if (isHeld(publication)) return blockedReason && reverts ? willBeCancelled : willBeSuspended;
    return state === "scheduled" && due ? scheduled : publicationStates[state];
}

const endings = ["live", "failed", "cancelled", "superseded", "suspended"];

export function hasEnded({ state }) {
    return endings.includes(state);
}

/** This many questions in a row may go without an answer: about a minute. */
const patience = 30;

/**
 * A publication's news until its end. The server holds each question open for a while; should it answer at once, the
 * pause keeps this page from asking in a loop. The publication goes on without this page, so a question that got no
 * answer is asked again.
 */
export async function* news(api, publication) {
    let latest = publication;
    let unanswered = 0;
    yield latest;
    while (!hasEnded(latest)) {
        await pause(unanswered ? 2_000 : 400);
        try {
            latest = await newest(api, latest);
            unanswered = 0;
            yield latest;
        } catch (problem) {
            if (!problem.isPassing || ++unanswered > patience) throw problem;
        }
    }
}

async function newest(api, { host, id }) {
    return (await api.get(at`/domains/${host}/publications/${id}`, { query: { wait: 5 } })).body;
}
