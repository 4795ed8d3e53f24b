import { clone } from "../../../shared/page/template.js";
import { showDifference } from "./file-difference.js";
import { showMeaning } from "./rule-difference.js";

/**
 * Shows in `place` the changes between two files: `{ against, before, after, difference }`. `against` names the file
 * `before`, which is null if there is none.
 */
export function showChanges(place, { against, before, after, difference }, apps) {
    const changes = clone("changes");
    showMeaning(changes, difference, apps);
    showDifference(changes, against, before, after);
    place.replaceChildren(changes);
}
