import { part } from "../shared/page/template.js";

/**
 * Says what happened in the bar at the bottom of the page, which screen readers read out. It stays until the next
 * message or until it is dismissed: nobody has to be quick, above all not to take something back. A message that offers
 * nothing to take back goes with what it speaks of, by `forgetNews`.
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

/** Says what happened elsewhere: an offer to take something back stays, and is worth more. */
export function announceNews(text) {
    const bar = document.querySelector(".announcement");
    if (bar.hidden || part(bar, "undo").hidden) announce(text);
}

/** Clears what is no longer news, because the draft is another one now or a dialog covers it. An offer stays. */
export function forgetNews() {
    const bar = document.querySelector(".announcement");
    if (part(bar, "undo").hidden) dismiss(bar);
}

function takeBack(bar, undo) {
    dismiss(bar);
    undo();
}

/** The focus goes back to where it was before it came into the bar. */
function dismiss(bar) {
    const hadFocus = bar.contains(document.activeElement);
    bar.hidden = true;
    if (hadFocus) (cameFrom?.checkVisibility() ? cameFrom : document.getElementById("main"))?.focus();
}

let cameFrom = null;

document.addEventListener("focusin", ({ target, relatedTarget }) => {
    const bar = target.closest(".announcement");
    if (bar && !bar.contains(relatedTarget)) cameFrom = relatedTarget;
});
