import { pause, untilVisible } from "./later.js";

/** The seconds for which the server may hold a request open, and after which the page gives up on it. */
const wait = 30;
const patience = 45;
/** The least time between two requests, in milliseconds, so that simultaneous events come in one answer. */
const calm = 400;
const firstRetry = 1_000;
const longestRetry = 30_000;

/** The position of the newest event: later events have higher positions. */
export async function newestPlace(api, signal) {
    const { body } = await api.get("/events", { query: { sort: "newest", limit: 1 }, signal });
    return body.items[0]?.position ?? 0;
}

/**
 * Yields the events after a position as they happen: `{ events }`, oldest first, each exactly once, or an empty list if
 * nothing has happened for a while; `{ events: [], problem }` if Waymark does not answer, and then retries, less often
 * each time. A hidden page sends no requests: all tabs share a browser's few connections to a server. Throws a
 * `Problem` that retrying does not solve, and an `AbortError` if `signal` aborts.
 */
export async function* eventsAfter(api, place, { filters = {}, signal } = {}) {
    let from = { after: place };
    let retry = firstRetry;
    while (true) {
        await untilVisible();
        const query = { ...filters, ...from, wait, limit: 200 };
        const ending = AbortSignal.any([signal, AbortSignal.timeout(patience * 1_000)].filter(Boolean));
        try {
            const { body } = await api.get("/events", { query, signal: ending });
            from = { cursor: body.next };
            retry = firstRetry;
            yield { events: body.items };
            await pause(calm);
        } catch (problem) {
            if (!problem.isPassing) throw problem;
            yield { events: [], problem };
            await pause(retry);
            retry = Math.min(2 * retry, longestRetry);
        }
    }
}
