import { presentName } from "./zone-names.js";

/** Time zones by their IANA names: their list, their display names and their local times. */

const universal = "UTC";

/** The user's time zone. */
export const ownZone = presentName(Intl.DateTimeFormat().resolvedOptions().timeZone || universal);

/** All zones that the browser knows, by region: `[["Africa", ["Africa/Abidjan", …]], …]`. */
export function zonesByRegion() {
    const zones = new Set(Intl.supportedValuesOf("timeZone").map(presentName));
    const regions = Map.groupBy([...zones].sort(), (zone) => zone.split("/")[0]);
    return [...regions].filter(([region]) => region !== universal);
}

/** "New York time" for America/New_York; the name itself for a zone without a place. */
export function zoneWords(zone) {
    const [region, ...places] = zone.split("/");
    if (!places.length || region === "Etc") return zone;
    return `${places.at(-1).replaceAll("_", " ")} time`;
}

/**
 * "Mon, Nov 23, 09:00", the format of all times; with the year if it is not the current one, and with non-zero seconds
 * if `isExact`.
 */
export function timeIn(zone, moment, { isExact = false } = {}) {
    const date = new Date(moment);
    return formatter(zone, { ...dayOf(zone, date), ...clockOf(date, isExact) }).format(date);
}

/** "Mon, Nov 23", with the year if it is not the current one. */
export function dayIn(zone, moment) {
    const date = new Date(moment);
    return formatter(zone, dayOf(zone, date)).format(date);
}

function dayOf(zone, date) {
    const isThisYear = yearIn(zone, date) === yearIn(zone, new Date());
    return { weekday: "short", month: "short", day: "numeric", ...(!isThisYear && { year: "numeric" }) };
}

/** "09:00", or "09:00:30" */
export function clockIn(zone, moment, { isExact = false } = {}) {
    return formatter(zone, clockOf(new Date(moment), isExact)).format(new Date(moment));
}

function clockOf(date, isExact) {
    return isExact && date.getUTCSeconds() ? { ...clock, second: "2-digit" } : clock;
}

/**
 * A moment in a zone, "Mon, Nov 23, 09:00 New York time", and as `rest` in another one, "15:00 your time", with the day
 * if it differs. `rest` is empty if the times are equal.
 */
export function momentWords(zone, moment, other, precision = {}) {
    const there = timeIn(zone, moment, precision);
    const isSame = there === timeIn(other, moment, precision);
    const otherWords = other === ownZone ? "your time" : zoneWords(other);
    const rest = isSame ? "" : `${shortTimeIn(other, moment, zone, precision)} ${otherWords}`;
    return { first: `${there} ${zoneWords(zone)}`, rest };
}

/** Fills the parts `moment-first` and `moment-rest` of an element: the time in a zone, then in another one. */
export function showMomentIn(root, zone, moment, other = ownZone) {
    const { first, rest } = momentWords(zone, moment, other);
    const [main, others] = ["moment-first", "moment-rest"].map((name) => root.querySelector(`[data-part="${name}"]`));
    main.textContent = first;
    main.dateTime = moment;
    others.textContent = rest;
    others.hidden = !rest;
}

/** Like `timeIn`, but without the day if it is the same in the other zone. */
export function shortTimeIn(zone, moment, other, precision = {}) {
    const day = (each) => formatter(each, { dateStyle: "short" }).format(new Date(moment));
    return day(zone) === day(other) ? clockIn(zone, moment, precision) : timeIn(zone, moment, precision);
}

function yearIn(zone, date) {
    return formatter(zone, { year: "numeric" }).format(date);
}

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const formatters = new Map();

/** Uses UTC for a zone that this browser does not know: PostgreSQL may know more zones. */
function formatter(zone, options) {
    const key = JSON.stringify([zone, options]);
    if (!formatters.has(key)) formatters.set(key, makeFormatter(zone, options));
    return formatters.get(key);
}

function makeFormatter(timeZone, options) {
    try {
        return new Intl.DateTimeFormat("en", { ...options, timeZone });
    } catch {
        return new Intl.DateTimeFormat("en", { ...options, timeZone: universal, timeZoneName: "short" });
    }
}
