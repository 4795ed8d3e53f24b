import { frozenWords } from "./freeze-words.js";
import { count, number } from "./numbers.js";
import { ownZone, timeIn, zoneWords } from "../times/zones.js";

/** The states of a schedule in words for people, and the badge's tone. */
export const scheduleStates = {
    active: { words: "Active", tone: "good" },
    paused: { words: "Paused", tone: "quiet" },
    suspended: { words: "Suspended", tone: "bad" },
};
const overdueState = { words: "Overdue", tone: "warning" };

/** A schedule that is active and whose time has passed without a run is overdue. */
export function showScheduleState(badge, { state, overdue }) {
    const { words, tone } = overdue ? overdueState : scheduleStates[state];
    badge.textContent = words;
    badge.dataset.tone = tone;
}

/**
 * Why a schedule does not publish as it says: it is paused or suspended, no worker has begun its run, or all that it
 * publishes is frozen.
 */
export function stoppedWords({ reason, state, freeze, overdue, nextDueAt }) {
    const stopped = reason && `${scheduleStates[state].words}: ${reason}`;
    const late = overdue && `No worker has begun the run that was due at ${timeIn(ownZone, nextDueAt)}.`;
    return [stopped, late, state === "active" && freeze && frozenWords(freeze)].filter(Boolean).join(" ");
}

/** What became of a domain in a run, and how it is to be taken. */
export const outcomes = {
    published: { words: "Published", tone: "good" },
    refused: { words: "Refused by the gate", tone: "bad" },
    failed: { words: "Failed", tone: "bad" },
    frozen: { words: "Held by a freeze", tone: "warning" },
};

const kinds = {
    due: null,
    catchUp: "made up for a time that was missed",
    manual: "run by hand",
};

/** For how long after its due time a run may be made up for, in the words of the form. */
export const catchUps = [
    [0, "Not at all"],
    [3_600, "Within an hour"],
    [21_600, "Within 6 hours"],
    [86_400, "Within a day"],
    [259_200, "Within 3 days"],
    [604_800, "Within a week"],
];

/** "At 09:00 on Monday to Friday, New York time" */
export function whenWords({ words, zone }) {
    return `${words[0].toUpperCase()}${words.slice(1)}, ${zoneWords(zone)}`;
}

/** What a schedule does about times that passed while nothing could run, in one or two sentences. */
export function catchUpSentence(seconds) {
    if (!seconds) {
        return "If a time passes while all is down, it is not made up for: the schedule is suspended and says so.";
    }
    const run = `the last of them runs once, if no more than ${durationWords(seconds)} have passed`;
    return `If times pass while everything is down, ${run}. Otherwise the schedule is suspended and says so.`;
}

export function durationWords(seconds) {
    const [unit, length] = [
        ["day", 86_400],
        ["hour", 3_600],
        ["minute", 60],
        ["second", 1],
    ].find(([, each]) => seconds % each === 0 && seconds >= each) ?? ["second", 1];
    return count(seconds / length, unit);
}

/** "2 published, 1 refused", "nothing changed": what is the same is only told where nothing else happened. */
export function outcomeWords({ published, refused, failed, frozen, unchanged }) {
    const said = [
        [published, "published"],
        [refused, "refused"],
        [failed, "failed"],
        [frozen, "held by a freeze"],
    ].filter(([times]) => times);
    if (said.length) return said.map(([times, word]) => `${number(times)} ${word}`).join(", ");
    return unchanged ? "nothing changed" : "no domains";
}

/** What became of a run or of several, in words and with how it is to be taken; `null` counts are none yet. */
export function runWords({ outcomes: counts, running = 0, missed = 0 }) {
    const words = [running ? "running" : outcomeWords(counts), missed && `${count(missed, "time")} missed before`];
    return { words: words.filter(Boolean).join(", "), tone: runTone({ counts, running, missed }) };
}

/** Words for one run as the API tells it. */
export function oneRunWords(run) {
    return runWords({ ...run, running: run.state === "running" ? 1 : 0 });
}

function runTone({ counts, running, missed }) {
    if (counts.refused || counts.failed) return "bad";
    if (counts.frozen || missed) return "warning";
    if (running) return "accent";
    return counts.published ? "good" : "quiet";
}

/** Why there was a run, where that is not simply that its time had come. */
export function runKindWords({ kind, requestedBy }) {
    return kind === "manual" ? `${kinds.manual} by ${requestedBy.name}` : kinds[kind];
}

/** How many domains a run was about, and what became of those of which nothing is to be done. */
export function runDetail({ domains, outcomes: counts }) {
    const rest = counts.unchanged && `${number(counts.unchanged)} unchanged`;
    return [count(domains, "domain"), rest].filter(Boolean).join(", ");
}
