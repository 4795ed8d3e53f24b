const local = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const universal = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/**
 * "Dec 1, 2026, 9:00:00 AM here, Dec 1, 2026, 8:00:00 AM UTC": the reader's time and the one that all share, once where
 * they are the same.
 */
export function dueWords(time) {
    const [here, everywhere] = [local, universal].map((format) => format.format(new Date(time)));
    return here === everywhere ? `${here} UTC` : `${here} here, ${everywhere} UTC`;
}

export function inUTC(date) {
    return Number.isNaN(date.getTime()) ? "" : `${universal.format(date)} UTC`;
}
