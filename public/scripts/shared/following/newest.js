import { pause, untilFocused, untilVisible } from "./later.js";

const firstRetry = 1_000;
const longestRetry = 10_000;

/**
 * Requests of which only the newest counts: a new one cancels the previous one, and a late answer is ignored. Failed
 * requests are retried, less often each time.
 */
export class Newest {
    /** Resolves once the current request is answered or has failed. */
    onItsWay = Promise.resolve();
    #controller = new AbortController();

    /** Cancels the current request. */
    stop() {
        this.#controller.abort();
    }

    /** Calls `ask(signal)`, then `answered(answer)` or `failed(error)`, or neither if there is a newer request. */
    async ask(ask, { answered, failed }) {
        this.stop();
        this.#controller = new AbortController();
        const { signal } = this.#controller;
        for (let retry = firstRetry; !signal.aborted; retry = Math.min(2 * retry, longestRetry)) {
            try {
                const asked = ask(signal);
                this.onItsWay = asked.catch(() => {});
                const answer = await asked;
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
