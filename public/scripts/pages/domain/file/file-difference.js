import { bytes, count } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { lineElement } from "./file-view.js";
import { jsonLines } from "../../../shared/files/json-lines.js";
import { lineDiff, withContext } from "./line-diff.js";

/**
 * Shows in `root` what going from one file to another changes. `against` says what the one before is; it is null where
 * nothing is live.
 */
export function showDifference(root, against, before, after) {
    const lines = lineDiff(before === null ? [] : jsonLines(before), jsonLines(after), sameLine);
    const added = lines.filter(({ change }) => change === "added").length;
    const removed = lines.filter(({ change }) => change === "removed").length;
    const changes = added + removed > 0 && `${count(added, "line")} added, ${count(removed, "line")} removed`;
    part(root, "summary").textContent = summary(against, before, after, changes);
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

function summary(against, before, after, changes) {
    if (before === null) return `Nothing is live yet. This whole file is new: ${bytes(size(after))}.`;
    if (before === after) return `The file is the same as ${against}, byte for byte.`;
    const sizes = `${bytes(size(before))} before, ${bytes(size(after))} now`;
    if (!changes) return `The file says the same as ${against} in other bytes: ${sizes}.`;
    return `Against ${against}: ${changes}; ${sizes}.`;
}

function size(text) {
    return new TextEncoder().encode(text).length;
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
