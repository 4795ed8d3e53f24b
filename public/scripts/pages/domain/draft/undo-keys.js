import { registerKeys } from "../../../components/keys/keys.js";
import { part } from "../../../shared/page/template.js";

/** Undo and redo by keys, beside every part. In a field, the keys undo typing as usual. */
export function registerUndoKeys(history) {
    registerKeys([
        { keys: "Mod+z", words: "Undo the last change of the draft", run: () => history.undo() },
        { keys: ["Mod+Shift+z", "Mod+y"], words: "Redo", run: () => history.redo() },
    ], "Rules");
}

/** Undo and redo by buttons. */
export function offerUndo(root, history) {
    part(root, "undo-step").addEventListener("click", () => history.undo());
    part(root, "redo-step").addEventListener("click", () => history.redo());
    const show = () => {
        part(root, "undo-buttons").hidden = !history.latest && !history.next;
        describe(part(root, "undo-step"), "Undo", history.latest);
        describe(part(root, "redo-step"), "Redo", history.next);
    };
    history.addEventListener("change", show);
    show();
}

function describe(button, verb, step) {
    button.ariaDisabled = String(!step);
    button.title = step ? `${verb}: ${step.words}` : `Nothing to ${verb.toLowerCase()}`;
    button.ariaLabel = button.title;
}
