import { clone } from "../../../shared/page/template.js";
import { showDifference } from "./file-difference.js";
import { showMeaning } from "./rule-difference.js";

/**
 * Shows in `place` what changes when one file takes the place of another: `{ against, before, after, difference }`,
 * where `against` says what stands there before; `before` is null where nothing does.
 */
export function showChanges(place, { against, before, after, difference }, apps) {
    const changes = clone("changes");
    showMeaning(changes, difference, apps);
    showDifference(changes, against, before, after);
    place.replaceChildren(changes);
}
