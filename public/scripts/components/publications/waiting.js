import { freezeSentence } from "../../shared/words/freeze-words.js";
import { isHeld } from "./publication.js";

/** Why a publication will not go live when it is due, and what to do; null if it will. */
export function heldWords(publication) {
    if (!isHeld(publication)) return null;
    const { blockedReason, reverts, freeze } = publication;
    if (!blockedReason) return `It will be suspended when it is due. ${freezeSentence(freeze)}`;
    if (reverts) return `It will be cancelled: ${blockedReason}.`;
    return `It will be suspended: ${blockedReason}. Publish it again if you still want it.`;
}
