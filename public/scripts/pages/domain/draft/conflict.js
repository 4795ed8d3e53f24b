import { clone, part } from "../../../shared/page/template.js";

/**
 * Runs an edit. When somebody else has changed the draft meanwhile (412), their draft is loaded and shown, ours stays
 * where it was typed, and a notice in `place` asks: apply it to the newest draft, or let it go. Answers whether the
 * edit was applied. `describe` may say in a sentence what has become of the very thing that is edited.
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
    const revisions = `You started from revision ${seen}; it is at revision ${draftDocument.revision} now.`;
    const answer = await ask(place, { revisions, theirs: describe() });
    return answer === "apply" ? applyOrAsk(draftDocument, edit, place, describe) : false;
}

function ask(place, texts) {
    const notice = clone("conflict", texts);
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
