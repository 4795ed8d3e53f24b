/** Days in the user's time zone, written `2026-11-22`. */

const names = new Intl.DateTimeFormat("en", { weekday: "long", month: "long", day: "numeric", year: "numeric" });
const months = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/** The day of a moment. */
export function dayOf(moment) {
    const date = new Date(moment);
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
    return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** The moment when a day begins. */
export function beginning(day) {
    const [year, month, number] = day.split("-").map(Number);
    return new Date(year, month - 1, number);
}

/** The day that is this many days after another. */
export function plus(day, days) {
    const date = beginning(day);
    date.setDate(date.getDate() + days);
    return dayOf(date);
}

/** The first day of the month that is this many months after the month of a day. */
export function monthPlus(day, count) {
    const date = beginning(day);
    return dayOf(new Date(date.getFullYear(), date.getMonth() + count, 1));
}

/** The days of the whole weeks, Monday first, that a month touches: four to six of them. */
export function weeksOf(day) {
    const first = monthPlus(day, 0);
    const next = monthPlus(day, 1);
    const weeks = [];
    let monday = plus(first, -((beginning(first).getDay() + 6) % 7));
    while (monday < next) {
        const start = monday;
        weeks.push(Array.from({ length: 7 }, (_, index) => plus(start, index)));
        monday = plus(monday, 7);
    }
    return weeks;
}

/** "Sunday, November 22, 2026" */
export function dayName(day) {
    return names.format(beginning(day));
}

/** "November 2026" */
export function monthName(day) {
    return months.format(beginning(day));
}
