import { onPress } from "../../../shared/forms/form.js";
import { part } from "../../../shared/page/template.js";

const fields = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Undo and redo by buttons and by Ctrl-Z, Ctrl-Shift-Z or Ctrl-Y. In a field, these keys undo typing as usual. */
export function offerUndo(root, history, failed) {
    const buttons = { undo: part(root, "undo-step"), redo: part(root, "redo-step") };
    onPress(buttons.undo, () => history.undo(), failed);
    onPress(buttons.redo, () => history.redo(), failed);

    const show = () => {
        describe(buttons.undo, "Undo", history.latest);
        describe(buttons.redo, "Redo", history.next);
    };
    history.addEventListener("change", show);
    show();

    document.addEventListener("keydown", (event) => {
        const action = actionOf(event);
        if (!action || event.defaultPrevented || event.target.closest(fields) || !root.checkVisibility()) return;
        if (document.querySelector("dialog[open]")) return;
        event.preventDefault();
        buttons[action].click();
    });
}

function actionOf({ key, ctrlKey, metaKey, shiftKey, altKey }) {
    if (!(ctrlKey || metaKey) || altKey) return null;
    if (key.toLowerCase() === "y") return "redo";
    return key.toLowerCase() === "z" ? (shiftKey ? "redo" : "undo") : null;
}

function describe(button, verb, step) {
    button.hidden = !step;
    button.title = step ? `${verb}: ${step.words}` : verb;
    button.ariaLabel = button.title;
}
