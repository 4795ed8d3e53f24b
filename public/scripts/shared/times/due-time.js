import { showMoment } from "./moments.js";
import { momentWords, ownZone, timeIn } from "./zones.js";

/** "Tue, Dec 1, 09:00 Berlin time (08:00 UTC)": the user's time and UTC, once if they are equal. */
export function dueWords(time) {
    const { first, rest } = momentWords(ownZone, time, "UTC", { isExact: true });
    return rest ? `${first} (${rest})` : first;
}

export function inUTC(date) {
    return Number.isNaN(date.getTime()) ? "" : `${timeIn("UTC", date, { isExact: true })} UTC`;
}

/** Fills a `<time>` with the relative and the exact due time, or with `otherwise` if `time` is null: nothing is due. */
export function showDue(element, time, otherwise) {
    if (time) return showMoment(element, time, dueWords(time));
    element.textContent = otherwise;
}
