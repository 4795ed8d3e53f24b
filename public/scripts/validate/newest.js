/**
 * Questions of which only the newest counts: a new one ends the one before, and an answer that comes late is never
 * shown.
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
        try {
            const answer = await ask(signal);
            if (!signal.aborted) answered(answer);
        } catch (error) {
            if (!signal.aborted) failed(error);
        }
    }
}
