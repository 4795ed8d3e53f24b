import { eventsAfter } from "../../../shared/following/event-follower.js";

/** Follows the domain while its review is open. Returns the controller that ends it. */
export function followDomain(page, view) {
    const ending = new AbortController();
    // Publishing names the reviewed revision, so a review that is no longer updated publishes nothing unseen.
    follow(page, view, ending.signal).catch(() => {});
    return ending;
}

async function follow({ api, host, place }, view, signal) {
    for await (const { events } of eventsAfter(api, place, { filters: { host }, signal })) {
        // A failed update leaves the older review, which cannot publish anything newer.
        if (events.length) await view.update(signal).catch(() => {});
    }
}
