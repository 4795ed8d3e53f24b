import { clone } from "../../../shared/page/template.js";
import { beginning } from "./days.js";

/** An entry of a day. */
export function entryItem({ clock, name, words, tone, kind }) {
    const item = clone("calendar-entry", { clock, name, words });
    item.dataset.tone = tone;
    item.dataset.kind = kind;
    return item;
}

/** One day of a freeze: with words on its first day and on Mondays, otherwise a line. */
export function freezeBar({ freeze, first, last }, day, isAlone = false) {
    const bar = clone("calendar-freeze");
    const isOn = first <= day && last >= day;
    bar.classList.toggle("is-gap", !isOn);
    bar.classList.toggle("is-first", day === first);
    bar.classList.toggle("is-last", day === last);
    const isTold = isOn && (isAlone || day === first || beginning(day).getDay() === 1);
    bar.textContent = isTold ? `Frozen: ${freeze.label ?? "all"}, ${freeze.reason}` : "";
    return bar;
}
