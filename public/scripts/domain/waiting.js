import { all, at } from "../api.js";
import { domainsOf, releaseName } from "../releases/release-words.js";
import { dueWords } from "./due-time.js";
import { pendingReleases } from "./pending-releases.js";

/**
 * That a publication will not go live when it is due, and why; null where nothing is known against it. `before` is the
 * one that it follows, while that is pending.
 */
export function obstacleWords({ obstacle, reverts }, before) {
    if (!obstacle) return null;
    if (before) return `It will be ${reverts ? "called off" : "suspended"}: ${obstacle}.`;
    return `It will be suspended: ${obstacle}. Publish it anew if it is still wanted.`;
}

/**
 * What is suspended when the domain is published before it: a line for each publication and release that waits, in the
 * order of time. Only help: none where it cannot be had.
 */
export async function waitingOn(api, host) {
    try {
        const path = at`/domains/${host}`;
        const [pending, releases] = await Promise.all([
            all(api, `${path}/publications`, { query: { state: "pending" } }),
            pendingReleases(api, host),
        ]);
        const publications = pending.filter((each) => {
            const isFirst = !pending.some(({ id }) => id === each.follows);
            return each.at && !each.override && isFirst && !each.obstacle;
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
