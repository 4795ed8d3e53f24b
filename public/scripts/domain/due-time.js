const local = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const universal = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/** "Dec 1, 2026, 9:00:00 AM here, Dec 1, 2026, 8:00:00 AM UTC": the reader's time and the one that all share. */
export function dueWords(time) {
    return `${local.format(new Date(time))} here, ${inUTC(new Date(time))}`;
}

export function inUTC(date) {
    return Number.isNaN(date.getTime()) ? "" : `${universal.format(date)} UTC`;
}

/** The reader's IANA time zone. */
export function localZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
