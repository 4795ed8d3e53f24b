import { part } from "./template.js";

/**
 * Says what happened in the bar at the bottom of the page, which screen readers read out. It stays until the next
 * message or until it is dismissed: nobody has to be quick, above all not to take something back.
 */
export function announce(text, { undo } = {}) {
    const bar = document.querySelector(".announcement");
    part(bar, "text").textContent = text;
    bar.hidden = false;
    const button = part(bar, "undo");
    button.hidden = !undo;
    button.onclick = undo ? () => takeBack(bar, undo) : null;
    part(bar, "dismiss").onclick = () => dismiss(bar);
}

function takeBack(bar, undo) {
    dismiss(bar);
    undo();
}

function dismiss(bar) {
    bar.hidden = true;
}
