import { eventsAfter } from "./event-follower.js";
import { pause, untilVisible } from "./later.js";

const retry = 2_000;

/**
 * Keeps a part of a page as things are, for as long as the page is open or until `signal` says so. `show` is called now,
 * whenever events after `place` tell of things of a kind, those of them that it `concerns`, and while something moves that
 * no event tells of: it answers after how many milliseconds to look again, 0 for not at all.
 *
 * `failed` gets what went wrong, and null when all is well again. What cannot be had just now is asked for again.
 */
export function follow(api, { place, kind, concerns = () => true, show, failed, signal }) {
    let turn = 0;
    const update = async () => {
        const mine = ++turn;
        while (mine === turn && !signal?.aborted) {
            const again = await look(show, failed);
            if (!again) return;
            await pause(again);
            await untilVisible();
        }
    };
    update();
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
            else if (events.some(concerns)) update();
        }
    } catch (problem) {
        if (!signal?.aborted) failed(problem);
    }
}
