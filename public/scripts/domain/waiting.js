import { all, at } from "../api.js";
import { freezeSentence } from "../freeze-words.js";
import { domainsOf, releaseName } from "../releases/release-words.js";
import { dueWords } from "./due-time.js";
import { pendingReleases } from "./pending-releases.js";
import { isHeld } from "./publication.js";

/** Why a publication will not go live when it is due, and what to do; null if nothing is known against it. */
export function heldWords(publication) {
    if (!isHeld(publication)) return null;
    const { obstacle, reverts, freeze } = publication;
    if (!obstacle) return `It will be suspended when it is due. ${freezeSentence(freeze)}`;
    if (reverts) return `It will be cancelled: ${obstacle}.`;
    return `It will be suspended: ${obstacle}. Publish it again if you still want it.`;
}

/**
 * What waits to go live on a domain and can be suspended by what goes live before it: `{ at, words }`, in the order of
 * time. `reverts` and `id` are those of a publication. Only help: none if it cannot be had.
 */
export async function waitingOn(api, host) {
    try {
        const path = at`/domains/${host}`;
        const [publications, releases] = await Promise.all([
            all(api, `${path}/publications`, { query: { state: "pending" } }),
            pendingReleases(api, host),
        ]);
        return [
            ...publications.filter((each) => each.at && !each.override && !each.obstacle).map(waitingPublication),
            ...releases.filter(({ override }) => !override).map(waitingRelease),
        ].toSorted((one, other) => (one.at ?? "").localeCompare(other.at ?? ""));
    } catch {
        return [];
    }
}

/** Those of them that are suspended by what goes live at a time, null for now. The way back of one goes with it. */
export function suspendedBy(waiting, time) {
    const later = waiting.filter(({ at: due }) => !time || (due && due > time));
    return later.filter(({ reverts }) => !reverts || !later.some(({ id }) => id === reverts));
}

function waitingPublication({ id, at: due, version, reverts }) {
    return { id, reverts, at: due, words: `Version ${version}, due at ${dueWords(due)}` };
}

function waitingRelease(release) {
    const due = release.at ? `due at ${dueWords(release.at)}` : "as soon as it is ready";
    return { at: release.at, words: `The whole release “${releaseName(release)}” of ${domainsOf(release)}, ${due}` };
}
