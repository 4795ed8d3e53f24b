import { at } from "../../shared/api/api.js";
import { pause } from "../../shared/following/later.js";
import { publicationStates, willBeCancelled, willBeSuspended } from "../../shared/words/states.js";

/** Whether it is scheduled but will not go live at its time, in the current state. */
export function isHeld({ state, blockedReason, freeze }) {
    return state === "scheduled" && Boolean(blockedReason || freeze);
}

/** The words and the tone of its state. It is called scheduled only if it will go live in the current state. */
export function standingOf(publication) {
    const { state, at: due, blockedReason, reverts } = publication;
    if (isHeld(publication)) return blockedReason && reverts ? willBeCancelled : willBeSuspended;
    return publicationStates[state === "scheduled" && !due ? "queued" : state];
}

const endings = ["live", "failed", "cancelled", "superseded", "suspended"];

export function hasEnded({ state }) {
    return endings.includes(state);
}

/** The most requests in a row without an answer: about a minute. */
const patience = 30;

/**
 * Yields a publication whenever it has changed, until its end. The server holds each request open for a while; the
 * pause limits the rate if it answers immediately. The publication continues without this page, so requests without an
 * answer are retried.
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
