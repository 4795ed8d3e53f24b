import { releaseAddress } from "../../../shared/page/addresses.js";
import { freezeSentence } from "../../../shared/words/freeze-words.js";
import { domainsOf, releaseName, standingOf } from "../../../shared/words/release-words.js";
import { showState } from "../../../shared/words/states.js";
import { clone, part } from "../../../shared/page/template.js";
import { showDue } from "../../../shared/times/due-time.js";

/** A row for a pending release, which can be cancelled on its own page. */
export function pendingReleaseItem(release, organization) {
    const { id, at: due, freeze } = release;
    const notes = [
        `A release of ${domainsOf(release)} that go live together.`,
        freeze && `It will be suspended when it is due. ${freezeSentence(freeze)}`,
        !freeze && !release.override && "It is suspended if another version goes live here first.",
    ];
    const item = clone("pending-release", { name: releaseName(release), note: notes.filter(Boolean).join(" ") });
    item.dataset.id = id;
    part(item, "name").href = releaseAddress(organization.slug, id);
    showDue(part(item, "due"), due, "As soon as all domains are ready");
    showState(part(item, "state"), standingOf(release));
    return item;
}
