import { later } from "../../../components/later.js";

const asking = () => later(() => import("./asking.js"), "domain/conflict");

/**
 * Runs an edit. If the draft has changed in the meantime (412), this loads and shows the newest draft, keeps the user's
 * input, and asks in `place` whether to apply the edit to the newest draft or to discard it. Returns whether the edit was
 * applied. `describe` may return a sentence that says how the edited thing has changed.
 */
export async function applyOrAsk(draftDocument, edit, place, describe = () => null) {
    try {
        await draftDocument.change(edit);
        return true;
    } catch (problem) {
        if (!problem.isConflict) throw problem;
    }
    await draftDocument.load();
    const { askConflict } = await asking();
    return (await askConflict(draftDocument, place, describe())) && applyOrAsk(draftDocument, edit, place, describe);
}

/** Asks whether a step may overwrite a later change. */
export async function askInstead(place) {
    const { ask } = await asking();
    return ask(place, "overlap");
}
