import { momentWords, ownZone, timeIn } from "../times/zones.js";

/** What a freeze covers: "every domain", "domains labelled shop". */
export function coveredWords({ label }) {
    return label ? `domains labelled ${label}` : "every domain";
}

/** As it stands at the beginning of a sentence: "Every domain". */
export function capitalised(text) {
    return text[0].toUpperCase() + text.slice(1);
}

/** "Scheduled publications are held until Thu, Jan 7, 09:00 Berlin time (08:00 UTC), because: the winter sale." */
export function freezeSentence({ endsAt, reason }) {
    const { first, rest } = momentWords(ownZone, endsAt);
    return `Scheduled publications are held until ${first}${rest && ` (${rest})`}, because: ${ended(reason)}`;
}

/** The same for where it stands beside many others: "Frozen until Thu, Jan 7, 09:00: the winter sale." */
export function frozenWords({ endsAt, reason }) {
    return `Frozen until ${timeIn(ownZone, endsAt)}: ${ended(reason)}`;
}

function ended(sentence) {
    return `${sentence.replace(/\.$/, "")}.`;
}
