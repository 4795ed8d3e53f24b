import { words } from "../problem.js";
import { list } from "../numbers.js";
import { part } from "../template.js";

const mostPlaces = 5;

/** Why something could not be deleted, with the places that still use it. */
export function showInUse(row, problem) {
    const message = part(row, "row-problem");
    const places = problem.rest?.where ?? [];
    const inUse = `It is in use by ${shortened(places)}. Take it out there first.`;
    message.textContent = places.length > mostPlaces ? inUse : words(problem);
    message.hidden = false;
    message.focus();
}

function shortened(places) {
    const shown = places.slice(0, mostPlaces);
    return list(places.length > shown.length ? [...shown, `${places.length - shown.length} more`] : shown);
}
