import { Problem } from "../../../shared/api/problem.js";
import { AssociationFile } from "../../../shared/files/association-file.js";
import { fixedWords } from "../../../shared/words/fixed-words.js";
import { applyOrAsk } from "../draft/conflict.js";
import { importFile } from "../draft/edits.js";
import { announceStep } from "../draft/history.js";

/**
 * Applies the fix of a finding to the file `text` of a draft's `revision`. Returns whether it did. The file lacks later
 * changes of the draft, so it replaces no draft that has one.
 */
export async function mend(page, { text, revision }, fix) {
    const bytes = AssociationFile.of(text).edited(fix.edits).bytes;
    const edit = (draftDocument) => {
        if (draftDocument.revision !== revision) throw new Problem({ detail: "The draft has just changed. Try again." });
        return importFile(bytes)(draftDocument);
    };
    if (!(await applyOrAsk(page.document, edit, page.parts.place))) return false;
    announceStep(page, fixedWords(fix));
    return true;
}
