import { eventsAfter } from "./event-follower.js";
import { pause, untilVisible } from "./later.js";

const retry = 2_000;

/**
 * Keeps a part of a page up to date while the page is open or until `signal` aborts. Calls `show` now or after `first`
 * milliseconds, whenever there are events after `place` of a `kind` that it `concerns`, and after as many milliseconds
 * as `show` returned (0 for never): some changes send no events.
 *
 * Calls `failed` with a problem, and with null once all is well again. Failed requests are retried.
 */
export function follow(api, { place, kind, concerns = () => true, first = 0, show, failed, signal }) {
    let turn = 0;
    const update = async (wait = 0) => {
        const mine = ++turn;
        if (wait) await pause(wait);
        while (mine === turn && !signal?.aborted) {
            const again = await look(show, failed);
            if (!again) return;
            await pause(again);
            await untilVisible();
        }
    };
    update(first);
    followEvents(api, { place, kind, concerns, failed, update, signal });
}

async function look(show, failed) {
    try {
        const again = await show();
        failed(null);
        return again;
    } catch (problem) {
        failed(problem);
        return problem.isPassing ? retry : 0;
    }
}

async function followEvents(api, { place, kind, concerns, failed, update, signal }) {
    try {
        for await (const { events, problem } of eventsAfter(api, place, { filters: { kind }, signal })) {
            if (problem) failed(problem);
            else if (events.filter(concerns).length) update();
        }
    } catch (problem) {
        if (!signal?.aborted) failed(problem);
    }
}
