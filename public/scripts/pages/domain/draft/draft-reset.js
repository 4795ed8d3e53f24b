import { announceStep } from "./history.js";
import { onPress } from "../../../shared/forms/press.js";
import { part } from "../../../shared/page/template.js";
import { applyOrAsk } from "./conflict.js";
import { resetDraft } from "./edits.js";

/** Offers to replace the draft with the live version. Undo restores the draft. */
export function offerDiscarding(page, failed) {
    const discard = async () => {
        const isDone = await reset(page, "live", "Changes discarded. The draft matches the live version.");
        // The button disappears with the changes.
        if (isDone) page.parts.focus();
    };
    onPress(part(page.main, "discard-changes"), discard, failed);
}

/** Replaces the draft with a version. Undo restores the draft. */
export function loadIntoDraft(page, version) {
    return reset(page, version, `Version ${version} loaded into the draft. Nothing was published.`);
}

async function reset(page, version, words) {
    if (!(await applyOrAsk(page.document, resetDraft(version), page.parts.place))) return false;
    announceStep(page, words);
    return true;
}
