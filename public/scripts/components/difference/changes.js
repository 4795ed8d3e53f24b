import { clone, part } from "../../shared/page/template.js";
import { showDifference } from "./file-difference.js";
import { otherChanges } from "./other-changes.js";
import { showOutcomes } from "./outcome-list.js";
import { showRules } from "./rule-changes.js";

/**
 * Shows in `place` the changes between two files: `{ against, before, after, difference }`. `against` names the file
 * `before`, or null. `difference` is the comparison by meaning; without it, only the lines are
 * compared, and not folded.
 */
export function showChanges(place, changes, apps) {
    const { against, before, after, difference } = changes;
    const root = clone("changes");
    part(root, "meaning").hidden = !difference;
    part(root, "lines-folded").open = !difference;
    if (difference) showMeaning(root, changes, apps);
    showDifference(root, against, before, after);
    place.replaceChildren(root);
}

function showMeaning(root, changes, apps) {
    const { difference } = changes;
    showOutcomes(root, changes, apps);
    showRules(root, difference, apps);
    const others = otherChanges(difference, apps);
    part(root, "other-changes").hidden = others.length === 0;
    part(root, "other-changes").replaceChildren(...others.map((text) => clone("other-change", { text })));
    part(root, "truncated").hidden = !difference.isTruncated;
}
