import { ownZone, timeIn } from "./zones.js";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
/** The units of relative times, with their length and the shortest time for which each is used, in seconds. */
const units = [
    ["year", 31_557_600, 63_115_200],
    ["month", 2_629_800, 5_184_000],
    ["week", 604_800, 1_209_600],
    ["day", 86_400, 86_400],
    ["hour", 3_600, 3_600],
    ["minute", 60, 60],
];

/** The milliseconds between two updates of relative times. */
const tick = 30_000;

/**
 * Fills a `<time>` with the relative time, then the moment in `words`, by default in the user's time zone:
 * "7 min ago · Mon, Nov 23, 09:00".
 */
export function showMoment(element, time, words = time && timeIn(ownZone, time)) {
    element.hidden = !time;
    if (!time) return;
    element.dateTime = time;
    element.dataset.moment = words;
    element.title = `${timeIn("UTC", time, { isExact: true })} UTC`;
    refresh(element);
}

/** Fills a `<time>` with the relative time only: "7 min ago". The moment is in its title. */
export function showAgo(element, time) {
    showMoment(element, time, "");
    if (time) element.title = `${timeIn(ownZone, time)} · ${element.title}`;
}

/** Fills a `<time>` with the moment only. */
export function showTime(element, time) {
    element.dateTime = time;
    element.textContent = timeIn(ownZone, time);
    element.title = `${timeIn("UTC", time, { isExact: true })} UTC`;
}

function refresh(element) {
    const text = [ago(element.dateTime), element.dataset.moment].filter(Boolean).join(" · ");
    if (element.textContent !== text) element.textContent = text;
}

/** A day, such as December 12, 2026. */
export function day(time) {
    return new Date(time).toLocaleDateString("en", { dateStyle: "long" });
}

/** "7 min ago", "in 6 days". Days are those of the calendar: "tomorrow" is the next day. */
export function ago(time) {
    const seconds = Math.round((new Date(time) - Date.now()) / 1000);
    const [unit, length] = units.find(([, , shortest]) => Math.abs(seconds) >= shortest) ?? [];
    if (!unit) return seconds > 0 ? "in a moment" : "just now";
    const isLong = length > 86_400;
    const count = unit === "day" ? daysUntil(time) : Math[isLong ? "round" : "trunc"](seconds / length);
    return relative.format(count, unit).replace(".", "");
}

function daysUntil(time) {
    const midnight = (moment) => new Date(moment).setHours(0, 0, 0, 0);
    return Math.round((midnight(time) - midnight(Date.now())) / 86_400_000);
}

setInterval(() => document.querySelectorAll("time[data-moment]").forEach(refresh), tick);
