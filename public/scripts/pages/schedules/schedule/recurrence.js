/**
 * The recurrences that the form of a schedule offers, and their cron expressions. A recurrence is
 * `{ repeats, minute, time, weekdays, day }`; `repeats` decides which of the others are used.
 */

/** The ways to repeat, with the words of the form. */
export const repetitions = {
    hourly: "Every hour",
    daily: "Every day",
    weekdays: "On weekdays, Monday to Friday",
    weekly: "On chosen days of the week",
    monthly: "On a day of the month",
    other: "Custom expression",
};

const names = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
};
const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/**
 * The cron expression of a recurrence; null while something is missing or it is `other`. `time` is `HH:MM`, `weekdays`
 * are numbers from 1, Monday, to 7, Sunday.
 */
export function writeExpression({ repeats, minute, time, weekdays = [], day }) {
    if (repeats === "hourly") return isWithin(minute, 0, 59) ? `${Number(minute)} * * * *` : null;
    const [, hour, minutes] = /^(\d\d):(\d\d)/.exec(time ?? "") ?? [];
    if (hour === undefined) return null;
    const at = `${Number(minutes)} ${Number(hour)}`;
    if (repeats === "daily") return `${at} * * *`;
    if (repeats === "weekdays") return `${at} * * MON-FRI`;
    if (repeats === "weekly") return weekdays.length ? `${at} * * ${weekdayList(weekdays)}` : null;
    if (repeats === "monthly") return isWithin(day, 1, 31) ? `${at} ${Number(day)} * *` : null;
    return null;
}

/** The error of a missing field in a recurrence; null if none is missing. */
export function missingIn(recurrence) {
    const { repeats, time, weekdays } = recurrence;
    if (repeats === "other" || writeExpression(recurrence)) return null;
    if (repeats === "hourly") return { pointer: "/minute", detail: "Enter a minute from 0 to 59." };
    if (repeats === "weekly" && !weekdays.length) return { pointer: "/weekdays", detail: "Choose at least one day." };
    if (!time) return { pointer: "/time", detail: "Enter a time." };
    return { pointer: "/day", detail: "Enter a day from 1 to 31." };
}

/** The recurrence of an expression; `{ repeats: "other" }` if the form does not offer it. */
export function readExpression(expression) {
    const text = expression.trim();
    const fields = (names[text.toLowerCase()] ?? text).split(/\s+/);
    const [minutes, hours, days, months, weekdays] = fields;
    const minute = number(minutes, 0, 59);
    if (fields.length !== 5 || minute === null || months !== "*") return { repeats: "other" };
    if (hours === "*") return days === "*" && weekdays === "*" ? { repeats: "hourly", minute } : { repeats: "other" };
    const hour = number(hours, 0, 23);
    if (hour === null) return { repeats: "other" };
    const time = `${padded(hour)}:${padded(minute)}`;
    if (days === "*") return onWeekdays(weekdays, time);
    const day = number(days, 1, 31);
    return day !== null && weekdays === "*" ? { repeats: "monthly", time, day } : { repeats: "other" };
}

function onWeekdays(field, time) {
    if (field === "*") return { repeats: "daily", time };
    const weekdays = readWeekdays(field);
    if (!weekdays) return { repeats: "other" };
    if (weekdays.length === 7) return { repeats: "daily", time };
    return { repeats: weekdays.join() === "1,2,3,4,5" ? "weekdays" : "weekly", time, weekdays };
}

/** "MON-WED,6" → [1, 2, 3, 6], with Sunday as 7; null for steps and for text that is not a list of weekdays. */
function readWeekdays(field) {
    const found = new Set();
    for (const item of field.split(",")) {
        const [from, to, more] = item.split("-").map(weekday);
        if (from === null || to === null || more !== undefined) return null;
        // At the end of a range Sunday comes after Saturday, otherwise before Monday.
        const last = to === undefined ? from : to === 0 ? 7 : to;
        if (last < from) return null;
        for (let day = from; day <= last; day += 1) found.add(day === 0 ? 7 : day);
    }
    return [...found].sort();
}

function weekday(text) {
    const named = weekdayNames.indexOf(text.toUpperCase());
    return named >= 0 ? named : number(text, 0, 7);
}

/** [1, 2, 3, 6] → "MON-WED,SAT" */
function weekdayList(weekdays) {
    const runs = [];
    for (const day of [...weekdays].sort()) {
        const run = runs.at(-1);
        if (run && run.at(-1) === day - 1) run.push(day);
        else runs.push([day]);
    }
    const name = (day) => weekdayNames[day % 7];
    const written = runs.map((run) => (run.length > 2 ? `${name(run[0])}-${name(run.at(-1))}` : run.map(name).join()));
    return written.join();
}

function number(text, minimum, maximum) {
    return /^\d{1,2}$/.test(text ?? "") && isWithin(text, minimum, maximum) ? Number(text) : null;
}

function isWithin(text, minimum, maximum) {
    const value = Number(text);
    return text !== "" && text !== null && Number.isInteger(value) && value >= minimum && value <= maximum;
}

function padded(value) {
    return String(value).padStart(2, "0");
}
