import { domainAddress, releaseAddress, scheduleAddress } from "../shared/page/addresses.js";
import { dueWords } from "../shared/times/due-time.js";
import { clone, part } from "../shared/page/template.js";

const kinds = {
    publication: {
        words: (at) => `is published at ${at}`,
        link: ({ host }, slug) => `${domainAddress(slug, host)}#versions`,
    },
    release: { words: (at) => `goes live at ${at}, a release`, link: ({ id }, slug) => releaseAddress(slug, id) },
    schedule: {
        words: (at) => `runs at ${at}, a schedule, and publishes what has changed`,
        link: ({ id }, slug) => scheduleAddress(slug, id),
    },
    withdrawal: { words: (at) => `is withdrawn at ${at}`, link: ({ host }, slug) => domainAddress(slug, host) },
};

/**
 * What goes live or is withdrawn on domains of a release before it is due, and what that means for it; where none is
 * made yet, for one that would be. `beside` opens what is shown in a tab of its own.
 */
export function showPredecessors(root, { precededBy, override, isMade }, organization, { beside = false } = {}) {
    const notice = part(root, "predecessors");
    notice.hidden = precededBy.length === 0;
    const isWithdrawn = precededBy.some(({ kind }) => kind === "withdrawal");
    const isChanged = precededBy.some(({ kind }) => kind !== "withdrawal");
    const release = isMade ? "it" : "a release at that time";
    const sentences = [
        isMade ? "Before it is due, this happens on its domains." : "As things are, this happens on these domains.",
        isChanged && !override && `What changes on one of them suspends ${release}, unless that is called off.`,
        isChanged && override && `What is published then gives way to ${release}.`,
        isWithdrawn && `A withdrawal stops ${release}, unless that is undone.`,
    ];
    part(notice, "predecessors-words").textContent = sentences.filter(Boolean).join(" ");
    const items = precededBy.map((each) => predecessorItem(each, organization.slug, { beside }));
    part(notice, "predecessor-list").replaceChildren(...items);
}

/** One of them, with a link to it. */
export function predecessorItem(predecessor, slug, { beside = false } = {}) {
    const { kind, host, name, at } = predecessor;
    const row = clone("predecessor", { words: kinds[kind].words(dueWords(at)) });
    part(row, "link").textContent = host && kind !== "schedule" ? host : name || "Another release";
    part(row, "link").href = kinds[kind].link(predecessor, slug);
    if (beside) Object.assign(part(row, "link"), { target: "_blank", rel: "noopener" });
    return row;
}
