import { part } from "../../../shared/page/template.js";

const fields = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Undo and redo by buttons and by Ctrl-Z, Ctrl-Shift-Z or Ctrl-Y. In a field, these keys undo typing as usual. */
export function offerUndo(root, history) {
    const undo = () => history.undo();
    const redo = () => history.redo();
    part(root, "undo-step").addEventListener("click", undo);
    part(root, "redo-step").addEventListener("click", redo);

    const show = () => {
        part(root, "undo-buttons").hidden = !history.latest && !history.next;
        describe(part(root, "undo-step"), "Undo", history.latest);
        describe(part(root, "redo-step"), "Redo", history.next);
    };
    history.addEventListener("change", show);
    show();

    document.addEventListener("keydown", (event) => {
        const action = actionOf(event);
        if (!action || event.defaultPrevented || event.target.closest(fields) || !root.checkVisibility()) return;
        if (document.querySelector("dialog[open]")) return;
        event.preventDefault();
        ({ undo, redo })[action]();
    });
}

function actionOf({ key, ctrlKey, metaKey, shiftKey, altKey }) {
    if (!(ctrlKey || metaKey) || altKey) return null;
    if (key.toLowerCase() === "y") return "redo";
    return key.toLowerCase() === "z" ? (shiftKey ? "redo" : "undo") : null;
}

function describe(button, verb, step) {
    button.ariaDisabled = String(!step);
    button.title = step ? `${verb}: ${step.words}` : `Nothing to ${verb.toLowerCase()}`;
    button.ariaLabel = button.title;
}
