import { pause, untilVisible } from "./later.js";

/** The seconds for which an answer may be held back, the most that there are, and after which nothing is expected. */
const wait = 30;
const patience = 45;
/** The least time between two questions, in milliseconds: what happens at once comes in one answer. */
const calm = 400;
const firstRetry = 1_000;
const longestRetry = 30_000;

/** The place of the newest event: all that happens from now on is behind it. */
export async function newestPlace(api, signal) {
    const { body } = await api.get("/events", { query: { sort: "newest", limit: 1 }, signal });
    return body.items[0]?.position ?? 0;
}

/**
 * What happens after a place, as it happens: `{ events }`, oldest first, none missed and none twice, or none when nothing
 * has happened for a while; `{ events: [], problem }` when Waymark does not answer: it is asked again, less often each
 * time. A page that nobody sees asks for nothing: a browser has few connections to a server, and all tabs share them.
 * Throws a `Problem` that does not pass, and an `AbortError` when `signal` says so.
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
