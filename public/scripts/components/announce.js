import { part } from "../shared/page/template.js";

/**
 * Shows a message in the bar at the bottom of the page, which screen readers read out. It stays until the next message
 * or until it is dismissed; one with Undo leaves after a while.
 */
export function announce(text, { undo } = {}) {
    const bar = document.querySelector(".announcement");
    part(bar, "text").textContent = text;
    bar.hidden = false;
    const button = part(bar, "undo");
    button.hidden = !undo;
    button.onclick = undo ? () => runUndo(bar, undo) : null;
    clearTimeout(leaving);
    if (undo) leaveLater(bar);
    part(bar, "dismiss").onclick = () => dismiss(bar);
}

/** Shows a message about another user's change, unless the bar offers Undo. */
export function announceNews(text) {
    const bar = document.querySelector(".announcement");
    if (bar.hidden || part(bar, "undo").hidden) announce(text);
}

/** Clears an outdated message, after a change or when a dialog opens. A message with Undo stays until the next own act. */
export function forgetNews({ isOwnAct } = {}) {
    const bar = document.querySelector(".announcement");
    if (isOwnAct || part(bar, "undo").hidden) dismiss(bar);
}

/** Hides the bar after 30 seconds, but not while the pointer or the focus is on it, or a dialog covers it. */
function leaveLater(bar) {
    const isInUse = () => bar.matches(":hover, :focus-within, [data-has-dialog] *");
    leaving = setTimeout(() => (isInUse() ? leaveLater(bar) : dismiss(bar)), 30_000);
}

function runUndo(bar, undo) {
    dismiss(bar);
    undo();
}

/** Hides the bar and moves the focus back to where it was before. */
function dismiss(bar) {
    const hadFocus = bar.contains(document.activeElement);
    bar.hidden = true;
    if (hadFocus) (cameFrom?.checkVisibility() ? cameFrom : document.getElementById("main"))?.focus();
}

let leaving;
let cameFrom = null;

document.addEventListener("focusin", ({ target, relatedTarget }) => {
    const bar = target.closest(".announcement");
    if (bar && !bar.contains(relatedTarget)) cameFrom = relatedTarget;
});
