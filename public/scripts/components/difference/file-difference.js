import { bytes, count } from "../../shared/words/numbers.js";
import { clone, part } from "../../shared/page/template.js";
import { lineElement } from "../file-line.js";
import { jsonLines } from "../../shared/files/json-lines.js";
import { lineDiff, withContext } from "./line-diff.js";

/**
 * Shows the changed lines between two files in `root`. `against` names the first file; `before` is null if there is
 * none.
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

/** A trailing comma depends on the next line, so it is not compared. */
function textOf({ parts }) {
    return parts.map(({ text }) => text).join("").replace(/,$/, "");
}

function summary(against, before, after, changes) {
    if (before === null) return `Nothing is live yet, so the whole file is new: ${bytes(size(after))}.`;
    if (before === after) return `The file is identical to ${against}.`;
    const sizes = `${bytes(size(before))} before, ${bytes(size(after))} now`;
    if (!changes) return `The file means the same as ${against} but has different bytes: ${sizes}.`;
    return `Compared with ${against}: ${changes}; ${sizes}.`;
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

/** For screen readers; others see the colour and the sign in the margin. */
function spoken(change) {
    const element = document.createElement("span");
    element.className = "visually-hidden";
    element.textContent = `${change}: `;
    return element;
}
