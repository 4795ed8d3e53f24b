import { count, number } from "../../../shared/words/numbers.js";
import { runOutcomes } from "../../../shared/words/states.js";
import { dayIn, ownZone } from "../../../shared/times/zones.js";

/** A schedule that is due on more days than this is folded: one that runs weekly is not. */
const maximumDays = 4;

/**
 * Folds the due runs between two days: `folded` has an entry for each schedule that is due on many of these days, and
 * `entries`, by day, has the others.
 */
export function foldedRuns(entries, first, end) {
    const later = [...entries].filter(([day]) => day >= first && day < end).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const due = later.flatMap(([, list]) => list).filter(({ kind }) => kind === "due");
    const often = [...Map.groupBy(due, ({ schedule }) => schedule.id).values()].filter((runs) => runs.length > maximumDays);
    const hidden = new Set(often.flat());
    const rest = later.map(([day, list]) => [day, list.filter((entry) => !hidden.has(entry))]);
    return { entries: new Map(rest.filter(([, list]) => list.length)), folded: often.map(foldedEntry) };
}

/** "16 more runs until Tue, Dec 29", and how many of them a freeze skips. */
function foldedEntry(runs) {
    const due = runs.flatMap((entry) => entry.due);
    const { freeze } = runs[0].schedule;
    const held = freeze ? due.filter(({ at }) => at < freeze.endsAt).length : 0;
    const until = `${count(due.length, "more run")} until ${dayIn(ownZone, due.at(-1).at)}`;
    const words = held ? `${until}, ${number(held)} ${runOutcomes.frozen.words.toLowerCase()}` : until;
    return { ...runs[0], clock: "", words, tone: held ? "warning" : "accent" };
}
