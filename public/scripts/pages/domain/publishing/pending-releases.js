import { releaseAddress } from "../../../shared/page/addresses.js";
import { all } from "../../../shared/api/api.js";
import { freezeSentence } from "../../../shared/words/freeze-words.js";
import { domainsOf, releaseName, showState, standingOf } from "../../../shared/words/release-words.js";
import { clone, part } from "../../../shared/page/template.js";
import { showDue } from "../../../shared/times/due-time.js";

/** The releases that wait to go live on a domain with others, in the order in which they are due. */
export async function pendingReleases(api, host) {
    const releases = await all(api, "/releases", { query: { host, state: "pending" } });
    return releases.filter(({ dryRun }) => !dryRun).toSorted((a, b) => (a.at ?? "").localeCompare(b.at ?? ""));
}

/** A release among what is to go live on the domain; it is called off on its own page. */
export function pendingReleaseItem(release, organization) {
    const { id, at: due, freeze } = release;
    const notes = [
        `A release of ${domainsOf(release)}, which go live together.`,
        freeze && `It is suspended when it becomes due. ${freezeSentence(freeze)}`,
        !freeze && !release.override && "It is suspended when something else goes live here before it.",
    ];
    const item = clone("pending-release", { name: releaseName(release), note: notes.filter(Boolean).join(" ") });
    item.dataset.id = id;
    part(item, "name").href = releaseAddress(organization.slug, id);
    showDue(part(item, "due"), due, "As soon as all of it is ready");
    showState(part(item, "state"), standingOf(release));
    return item;
}
