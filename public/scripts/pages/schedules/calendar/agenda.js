import { clone, part } from "../../../shared/page/template.js";
import { entryItem, freezeBar } from "./calendar-items.js";
import { dayName, dayOf, plus } from "./days.js";
import { foldedRuns } from "./folded-runs.js";

/** How far the agenda looks ahead in the current month, and how many of these days it shows in full. */
export const agendaDays = 30;
const fullDays = 7;

/**
 * Shows the days of another month that have entries or freezes. `told` has the entries and the freezes of the calendar.
 */
export function showMonth(root, told, days) {
    show(root, { items: days.filter((day) => isTold(told, day)).map((day) => dayItem(told, day)) });
    part(root, "empty").textContent = "Nothing this month.";
}

/**
 * Shows the next days, because they matter most on a phone. Past days are folded. After a week, each schedule that runs
 * often has one line, and each freeze only its first and its last day.
 */
export function showNextDays(root, told, days) {
    const today = dayOf(new Date());
    const week = plus(today, fullDays);
    const end = plus(today, agendaDays + 1);
    const { entries, folded } = foldedRuns(told.entries, week, end);
    const later = { ...told, entries };
    const items = (first, next, shown, isWanted) =>
        days.filter((day) => day >= first && day < next && isWanted(shown, day)).map((day) => dayItem(shown, day));
    show(root, {
        earlier: items(days[0], today, told, isTold),
        items: [
            ...items(today, week, told, isTold),
            ...(folded.length ? [foldedItem(folded, week)] : []),
            ...items(week, end, later, hasNews),
        ],
    });
    part(root, "empty").textContent = `Nothing in the next ${agendaDays} days.`;
}

function show(root, { earlier = [], items }) {
    part(root, "earlier").hidden = earlier.length === 0;
    part(root, "earlier-days").replaceChildren(...earlier);
    part(root, "agenda").replaceChildren(...items);
    part(root, "empty").hidden = items.length > 0;
}

function isTold({ entries, freezes }, day) {
    return entries.has(day) || freezes.some(({ first, last }) => first <= day && last >= day);
}

function hasNews({ entries, freezes }, day) {
    return entries.has(day) || freezes.some(({ first, last }) => day === first || day === last);
}

function dayItem({ entries, freezes }, day) {
    const item = clone("agenda-day", { day: dayName(day) });
    item.dataset.day = day;
    if (day === dayOf(new Date())) part(item, "day").setAttribute("aria-current", "date");
    const frozen = freezes.filter(({ first, last }) => first <= day && last >= day);
    part(item, "freezes").replaceChildren(...frozen.map((span) => freezeBar(span, day, true)));
    part(item, "entries").replaceChildren(...(entries.get(day) ?? []).map(entryItem));
    return item;
}

function foldedItem(folded, week) {
    const item = clone("agenda-folded", { title: `After ${dayName(plus(week, -1))}` });
    part(item, "entries").replaceChildren(...folded.map(entryItem));
    return item;
}
