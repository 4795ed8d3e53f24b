import { domainAddress, releaseAddress, scheduleAddress } from "../addresses.js";
import { dueWords } from "../domain/due-time.js";
import { clone, part } from "../template.js";

const kinds = {
    publication: { words: "is published", link: ({ host }, slug) => `${domainAddress(slug, host)}#versions` },
    release: { words: "goes live, a release", link: ({ id }, slug) => releaseAddress(slug, id) },
    schedule: {
        words: "runs, a schedule, and publishes what has changed",
        link: ({ id }, slug) => scheduleAddress(slug, id),
    },
    withdrawal: { words: "is withdrawn", link: ({ host }, slug) => domainAddress(slug, host) },
};

/** What goes live or is withdrawn on domains of a release before it is due, and what that means for it. */
export function showPredecessors(root, { precededBy, override, dryRun }, organization) {
    const notice = part(root, "predecessors");
    notice.hidden = precededBy.length === 0;
    const isStopped = !override || precededBy.some(({ kind }) => kind === "withdrawal");
    const release = dryRun ? "A release at that time" : "It";
    const consequence = isStopped
        ? `${release} is suspended by what changes on one of them, unless that is called off.`
        : `${release} takes the place of that.`;
    part(notice, "predecessors-words").textContent = `Before it is due, this happens on its domains. ${consequence}`;
    part(notice, "predecessor-list").replaceChildren(...precededBy.map((each) => item(each, organization.slug)));
}

function item(predecessor, slug) {
    const { kind, host, name, at } = predecessor;
    const row = clone("predecessor", { words: `${kinds[kind].words} at ${dueWords(at)}` });
    part(row, "link").textContent = host && kind !== "schedule" ? host : name || "Another release";
    part(row, "link").href = kinds[kind].link(predecessor, slug);
    return row;
}
