import { count } from "../numbers.js";
import { clone, part } from "../template.js";
import { lineElement } from "./file-view.js";
import { jsonLines } from "./json-lines.js";
import { lineDiff, withContext } from "./line-diff.js";

/**
 * Shows in `root` what going from one file to another changes. `against` says what the one before is; it is null where
 * nothing is live.
 */
export function showDifference(root, against, before, after) {
    const lines = lineDiff(before === null ? [] : jsonLines(before), jsonLines(after), sameLine);
    const added = lines.filter(({ change }) => change === "added").length;
    const removed = lines.filter(({ change }) => change === "removed").length;
    part(root, "summary").textContent = summary(against, before, added, removed);
    part(root, "difference").hidden = added + removed === 0;
    part(root, "lines").replaceChildren(...withContext(lines).map(differenceLine));
}

function sameLine(one, other) {
    return one.depth === other.depth && textOf(one) === textOf(other);
}

/** A comma at the end comes and goes with the neighbours; it is not a change worth showing. */
function textOf({ parts }) {
    return parts.map(({ text }) => text).join("").replace(/,$/, "");
}

function summary(against, before, added, removed) {
    if (before === null) return "Nothing is live yet. This whole file is new.";
    if (added + removed === 0) return `The file is the same as ${against}.`;
    return `Against ${against}: ${count(added, "line")} added, ${count(removed, "line")} removed.`;
}

function differenceLine(entry) {
    if (!entry) return clone("difference-gap");
    const element = lineElement(entry.line);
    element.dataset.change = entry.change;
    if (entry.change !== "same") element.prepend(spoken(entry.change));
    return element;
}

/** The colour and the sign in the margin are for the eye; this is for the ear. */
function spoken(change) {
    const element = document.createElement("span");
    element.className = "visually-hidden";
    element.textContent = `${change}: `;
    return element;
}
