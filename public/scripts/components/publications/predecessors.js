import { domainAddress, releaseAddress, scheduleAddress } from "../../shared/page/addresses.js";
import { dueWords } from "../../shared/times/due-time.js";
import { clone, part } from "../../shared/page/template.js";
import { hostWords } from "../../shared/words/host-words.js";

const kinds = {
    publication: {
        words: (at) => `is published at ${at}`,
        link: ({ host }, slug) => domainAddress(slug, host, "versions"),
    },
    release: { words: (at) => `is a release that goes live at ${at}`, link: ({ id }, slug) => releaseAddress(slug, id) },
    schedule: {
        words: (at) => `is a schedule that runs at ${at} and publishes changes`,
        link: ({ id }, slug) => scheduleAddress(slug, id),
    },
    withdrawal: { words: (at) => `is withdrawn at ${at}`, link: ({ host }, slug) => domainAddress(slug, host) },
};

/**
 * Shows the changes that go live, and the withdrawals that take effect, on a release's domains before it is due, and
 * what they mean for it. `isMade` is false for a release that does not exist yet.
 */
export function showPredecessors(root, { precededBy, override, isMade }, organization) {
    const notice = part(root, "predecessors");
    notice.hidden = precededBy.length === 0;
    const isWithdrawn = precededBy.some(({ kind }) => kind === "withdrawal");
    const isChanged = precededBy.some(({ kind }) => kind !== "withdrawal");
    const sentences = [
        `These changes come before ${isMade ? "this release" : "that time"}.`,
        isChanged && !override && "If one of them goes live, the release is suspended.",
        isChanged && override && "The release goes live anyway and replaces them.",
        isWithdrawn && "A withdrawal stops the release, unless you undo it.",
    ];
    part(notice, "predecessors-words").textContent = sentences.filter(Boolean).join(" ");
    const items = precededBy.map((each) => predecessorItem(each, organization.slug));
    part(notice, "predecessor-list").replaceChildren(...items);
}

/** One of them, with a link to it. */
export function predecessorItem(predecessor, slug) {
    const { kind, host, name, at } = predecessor;
    const row = clone("predecessor", { words: kinds[kind].words(dueWords(at)) });
    part(row, "link").textContent = host && kind !== "schedule" ? hostWords(host) : name || "Another release";
    part(row, "link").href = kinds[kind].link(predecessor, slug);
    return row;
}
