import { registerKeys } from "../../../components/keys/keys.js";
import { part } from "../../../shared/page/template.js";

/** Undo and redo by buttons and by keys. In a field, the keys undo typing as usual. */
export function offerUndo(root, history) {
    const undo = () => history.undo();
    const redo = () => history.redo();
    part(root, "undo-step").addEventListener("click", undo);
    part(root, "redo-step").addEventListener("click", redo);
    registerKeys([
        { keys: "Mod+z", words: "Undo the last change of the draft", run: undo },
        { keys: ["Mod+Shift+z", "Mod+y"], words: "Redo", run: redo },
    ], "Rules");

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
