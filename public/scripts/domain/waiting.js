import { all, at } from "../api.js";
import { domainsOf, releaseName } from "../releases/release-words.js";
import { dueWords } from "./due-time.js";
import { pendingReleases } from "./pending-releases.js";

/**
 * Whether a publication that waits for its time will be suspended, because something else has gone live on the domain
 * since it was made. `live` is what was live before the publications were asked for; one that waits for another one of
 * `pending` is made against what that one makes live.
 */
export function wasOvertaken({ state, at: due, override, follows, madeAgainst }, live, pending) {
    if (state !== "scheduled" || !due || override || pending.some(({ id }) => id === follows)) return false;
    return (live?.activation ?? 0) > (madeAgainst ?? 0);
}

/**
 * What is suspended when the domain is published before it: a line for each publication and release that waits, in the
 * order of time. Only help: none where it cannot be had.
 */
export async function waitingOn(api, host) {
    try {
        const path = at`/domains/${host}`;
        const { body: domain } = await api.get(path);
        const [pending, releases] = await Promise.all([
            all(api, `${path}/publications`, { query: { state: "pending" } }),
            pendingReleases(api, host),
        ]);
        const publications = pending.filter((each) => {
            const isFirst = !pending.some(({ id }) => id === each.follows);
            return each.at && !each.override && isFirst && !wasOvertaken(each, domain.live, pending);
        });
        return [
            ...publications.map(({ at: due, version }) => [due, `Version ${version}, due at ${dueWords(due)}`]),
            ...releases.filter(({ override }) => !override).map((release) => [release.at, releaseWords(release)]),
        ]
            .toSorted(([one], [other]) => (one ?? "").localeCompare(other ?? ""))
            .map(([, words]) => words);
    } catch {
        return [];
    }
}

function releaseWords(release) {
    const due = release.at ? `due at ${dueWords(release.at)}` : "as soon as it is ready";
    return `The whole release “${releaseName(release)}” of ${domainsOf(release)}, ${due}`;
}

/** Shows such lines in a dialog's warning. */
export function warnOfWaiting(part, lines) {
    part("waiting").hidden = lines.length === 0;
    const suspended = lines.length === 1 ? "this is suspended" : "these are suspended";
    part("waiting-words").textContent = `When this goes live before, ${suspended}:`;
    part("waiting-list").replaceChildren(
        ...lines.map((line) => {
            const item = document.createElement("li");
            item.textContent = line;
            return item;
        }),
    );
}
