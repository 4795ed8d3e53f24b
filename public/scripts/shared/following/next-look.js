/** The shortest and longest time between two updates, in milliseconds. */
const minimum = 2_000;
const maximum = 600_000;
/** The next update comes after this part of the time without a change. */
const share = 5;

/**
 * When to update things that change without an event, such as the progress of a release: every two seconds while they
 * change, and less and less often while they do not.
 */
export class NextLook {
    #seen = null;
    #since = 0;

    /** The milliseconds until the next update, 0 for never. `moving` holds the values that may change, or null. */
    after(moving) {
        if (moving === null) return 0;
        const seen = JSON.stringify(moving);
        const now = performance.now();
        if (seen !== this.#seen) [this.#seen, this.#since] = [seen, now];
        return Math.min(maximum, Math.max(minimum, (now - this.#since) / share));
    }
}
