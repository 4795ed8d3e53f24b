import { AssociationFile } from "../../../shared/files/association-file.js";

export { fixedWords } from "../../../shared/words/fixed-words.js";

/** The bytes of a file after a fix. */
export function mended(text, { edits }) {
    return AssociationFile.of(text).edited(edits).bytes;
}
