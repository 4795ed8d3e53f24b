import { pause, untilFocused, untilVisible } from "./later.js";

const firstRetry = 1_000;
const longestRetry = 10_000;

/**
 * Questions of which only the newest counts: a new one ends the one before, and an answer that comes late is never
 * shown. What cannot be answered just now is asked again until it can, less often each time.
 */
export class Newest {
    #controller = new AbortController();

    /** Gives up the question that is under way. */
    stop() {
        this.#controller.abort();
    }

    /** Asks by `ask(signal)`, then calls `answered(answer)` or `failed(error)`, or neither if a newer question came. */
    async ask(ask, { answered, failed }) {
        this.stop();
        this.#controller = new AbortController();
        const { signal } = this.#controller;
        for (let retry = firstRetry; !signal.aborted; retry = Math.min(2 * retry, longestRetry)) {
            try {
                const answer = await ask(signal);
                if (!signal.aborted) answered(answer);
                return;
            } catch (error) {
                if (signal.aborted) return;
                failed(error);
                if (!error.isPassing && !error.isSignedOut) return;
                // Signing in happens in another tab.
                await (error.isSignedOut ? untilFocused() : pause(retry));
            }
            await untilVisible();
        }
    }
}
