/** Between two looks, in milliseconds. */
const least = 2_000;
const most = 600_000;
/** After so long without a change there is another look when this part of that time is over. */
const share = 5;

/**
 * When to look again at what changes without an event: how many of many have been dealt with, how far edges have got. As
 * long as it goes on that is every two seconds, and more and more rarely once it does not.
 */
export class NextLook {
    #seen = null;
    #since = 0;

    /** After how many milliseconds to look again, 0 for not at all. `moving` is what may change; null for nothing. */
    after(moving) {
        if (moving === null) return 0;
        const seen = JSON.stringify(moving);
        const now = performance.now();
        if (seen !== this.#seen) [this.#seen, this.#since] = [seen, now];
        return Math.min(most, Math.max(least, (now - this.#since) / share));
    }
}
