import { withPiece } from "../../../components/later.js";
import { clone, part } from "../../../shared/page/template.js";

/**
 * Runs an edit. If another user has changed the draft in the meantime (412), this loads and shows the newest draft,
 * keeps the user's input, and asks in `place` whether to apply the edit to the newest draft or to discard it. Returns
 * whether the edit was applied. `describe` may return a sentence that says how the edited thing has changed.
 */
export async function applyOrAsk(draftDocument, edit, place, describe = () => null) {
    const seen = draftDocument.revision;
    try {
        await draftDocument.change(edit);
        return true;
    } catch (problem) {
        if (!problem.isConflict) throw problem;
    }
    await draftDocument.load();
    const revisions = `You started from revision ${seen}; the draft is now at revision ${draftDocument.revision}.`;
    const answer = await ask(place, "conflict", { revisions, theirs: describe() });
    return answer === "apply" ? applyOrAsk(draftDocument, edit, place, describe) : false;
}

/** Asks whether a step may overwrite another user's change. */
export async function askInstead(place) {
    return (await ask(place, "overlap")) === "apply";
}

async function ask(place, name, texts) {
    await withPiece("domain/conflict");
    const notice = clone(name, texts);
    place.querySelector(":scope > .conflict")?.remove();
    place.prepend(notice);
    notice.focus();
    return new Promise((resolve) => {
        for (const answer of ["apply", "discard"]) {
            part(notice, answer).addEventListener("click", () => {
                notice.remove();
                resolve(answer);
            });
        }
    });
}
