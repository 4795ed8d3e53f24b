import { momentWords, ownZone, timeIn } from "../times/zones.js";

/** The domains that a freeze covers: "every domain", "domains labelled shop". */
export function coveredWords({ label }) {
    return label ? `domains labelled ${label}` : "every domain";
}

/** With a capital, for the start of a sentence: "Every domain". */
export function capitalised(text) {
    return text[0].toUpperCase() + text.slice(1);
}

/** "Nothing scheduled is published until Thu, Jan 7, 09:00 Berlin time (08:00 UTC). Reason: the winter sale." */
export function freezeSentence({ endsAt, reason }) {
    const { first, rest } = momentWords(ownZone, endsAt, "UTC");
    return `Nothing scheduled is published until ${first}${rest && ` (${rest})`}. Reason: ${ended(reason)}`;
}

/** The short form, for lists: "Frozen until Thu, Jan 7, 09:00: the winter sale." */
export function frozenWords({ endsAt, reason }) {
    return `Frozen until ${timeIn(ownZone, endsAt)}: ${ended(reason)}`;
}

function ended(sentence) {
    return `${sentence.replace(/\.$/, "")}.`;
}
