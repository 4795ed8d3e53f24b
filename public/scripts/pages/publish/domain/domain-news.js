import { eventsAfter } from "../../../shared/following/event-follower.js";

/** The events that change the draft; any other event of the domain may change the checks. */
const ofDraft = ["draft", "rule"];

/**
 * Follows the domain while its review is open. A newer draft is announced, not shown: the review stays that of the
 * revision that is read. Anything else is loaded again. Returns the controller that ends it.
 */
export function followDomain(page, view) {
    const ending = new AbortController();
    follow(page, view, ending.signal).catch((problem) => {
        // Publishing names the revision, so an old review publishes nothing unseen.
        if (!ending.signal.aborted) console.info(`The review is no longer updated: ${problem.message}`);
    });
    return ending;
}

async function follow({ api, host, place }, view, signal) {
    for await (const { events } of eventsAfter(api, place, { filters: { host }, signal })) {
        const kinds = new Set(events.map(({ kind }) => kind.split(".")[0]));
        if (kinds.size === 0) continue;
        if (ofDraft.some((kind) => kinds.has(kind)) && (await view.isOutdated())) view.showStale();
        else await view.reload();
    }
}
