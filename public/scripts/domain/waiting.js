import { all, at } from "../api.js";
import { domainsOf, releaseName } from "../releases/release-words.js";
import { dueWords } from "./due-time.js";
import { pendingReleases } from "./pending-releases.js";

const overtaken =
    "It will be suspended: something else has gone live here since it was made. Publish it anew if it is still wanted.";

/**
 * Why a publication that waits for its time will not go live: because something else has gone live on the domain since
 * it was made, or because that is so of the one that it follows. Null where nothing is known against it. `live` is what
 * was live before the publications were asked for; one that follows another one of `pending` is made against what that
 * one makes live.
 */
export function overtakenWords(publication, live, pending) {
    const { state, at: due, override, follows, reverts, madeAgainst } = publication;
    if (state !== "scheduled" || !due) return null;
    const before = pending.find(({ id }) => id === follows);
    if (before) {
        if (!overtakenWords(before, live, pending)) return null;
        if (reverts) return `It will be called off: version ${before.version}, which it takes back, will not go live.`;
        if (override) return null;
        return `It will be suspended: version ${before.version}, for which it waits, will not go live.`;
    }
    if (override || (live?.activation ?? 0) <= (madeAgainst ?? 0)) return null;
    return overtaken;
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
            return each.at && !each.override && isFirst && !overtakenWords(each, domain.live, pending);
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
