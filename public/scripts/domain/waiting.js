import { freezeSentence } from "../freeze-words.js";
import { isHeld } from "./publication.js";

/** Why a publication will not go live when it is due, and what to do; null if nothing is known against it. */
export function heldWords(publication) {
    if (!isHeld(publication)) return null;
    const { obstacle, reverts, freeze } = publication;
    if (!obstacle) return `It will be suspended when it is due. ${freezeSentence(freeze)}`;
    if (reverts) return `It will be cancelled: ${obstacle}.`;
    return `It will be suspended: ${obstacle}. Publish it again if you still want it.`;
}
