import { announce } from "../../../components/announce.js";
import { onPress } from "../../../shared/forms/form.js";
import { part } from "../../../shared/page/template.js";
import { applyOrAsk } from "./conflict.js";
import { replaceDraft, resetDraft } from "./edits.js";

/** Offers to discard the changes of the draft: the live version takes its place, and Undo brings the changes back. */
export function offerDiscarding(page, failed) {
    const discard = async () => {
        const isDone = await reset(page, "live", "Changes discarded: the draft is the live version again.");
        // With the changes goes the button.
        if (isDone) part(page.main, "rules-title").focus();
    };
    onPress(part(page.main, "discard-changes"), discard, failed);
}

/** Puts a version in the place of the draft; Undo brings the draft back. */
export function loadIntoDraft(page, version) {
    return reset(page, version, `Version ${version} is loaded into the draft. Nothing is published.`);
}

async function reset(page, version, words) {
    const former = structuredClone(page.document.draft);
    const place = part(page.main, "rules");
    if (!(await applyOrAsk(page.document, resetDraft(version), place))) return false;
    const undo = async () => {
        if (await applyOrAsk(page.document, replaceDraft(former), place)) announce("The draft is as it was before.");
    };
    announce(words, { undo });
    return true;
}
