import { showMoment } from "./moments.js";
import { momentWords, ownZone, timeIn } from "./zones.js";

/** "Tue, Dec 1, 09:00 Berlin time (08:00 UTC)": the reader's time and the one that all share, once if they are the same. */
export function dueWords(time) {
    const { first, rest } = momentWords(ownZone, time, { isExact: true });
    return rest ? `${first} (${rest})` : first;
}

export function inUTC(date) {
    return Number.isNaN(date.getTime()) ? "" : `${timeIn("UTC", date, { isExact: true })} UTC`;
}

/** Fills a `<time>` with how soon something is due and when, or with `otherwise` if it has no time. */
export function showDue(element, time, otherwise) {
    if (time) return showMoment(element, time, dueWords(time));
    element.textContent = otherwise;
}
