import { AliasList } from "./alias-list.js";
import { LabelEditor } from "./label-editor.js";
import { OldestSystem } from "./oldest-system.js";
import { OtherParts } from "./other-parts.js";
import { offerRemoval } from "./removal.js";
import { Withdrawing } from "./withdrawing.js";

/** The part "Settings". An alias has only the settings that are not of the file. */
export function openPart(page) {
    new LabelEditor(page);
    new Withdrawing(page);
    offerRemoval(page);
    if (page.domain.aliasOf) return { updates: {} };
    new AliasList(page);
    const edited = [new OtherParts(page), new OldestSystem(page)];
    page.edits.push(() => edited.some(({ isEdited }) => isEdited));
    return { updates: {} };
}
