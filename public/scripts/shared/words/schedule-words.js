import { frozenWords } from "./freeze-words.js";
import { count, number } from "./numbers.js";
import { scheduleStates, showState } from "./states.js";
import { ownZone, timeIn, zoneWords } from "../times/zones.js";

/** An active schedule is overdue if its time has passed without a run. */
export function showScheduleState(badge, { state, overdue }) {
    showState(badge, scheduleStates[overdue ? "overdue" : state]);
}

/** Why a schedule does not publish: it is paused or suspended, its run has not started, or there is a freeze. */
export function stoppedWords({ reason, state, freeze, overdue, nextDueAt }) {
    const stopped = reason && `${scheduleStates[state].words}: ${reason}`;
    const late = overdue && `The run due at ${timeIn(ownZone, nextDueAt)} has not started yet. If it stays so, ask the operator.`;
    return [stopped, late, state === "active" && freeze && frozenWords(freeze)].filter(Boolean).join(" ");
}

const kinds = {
    due: null,
    catchUp: "catch-up for a missed run",
    manual: "started manually",
};

/** How long after its due time a missed run may catch up, in the words of the form. */
export const catchUps = [
    [0, "Never"],
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

/** What a schedule does about missed runs, in one or two sentences. */
export function catchUpSentence(seconds) {
    if (!seconds) {
        return "If a run is missed while Waymark is down, it is skipped and the schedule is suspended.";
    }
    const run = `one run catches up if Waymark is back within ${durationWords(seconds)}`;
    return `If runs are missed while Waymark is down, ${run}. Otherwise the schedule is suspended.`;
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

/** "2 published, 1 failed the checks", or "nothing changed" if nothing else happened. */
export function outcomeWords({ published, refused, failed, frozen, unchanged }) {
    const said = [
        [published, "published"],
        [refused, "failed the checks"],
        [failed, "failed"],
        [frozen, "skipped"],
    ].filter(([times]) => times);
    if (said.length) return said.map(([times, word]) => `${number(times)} ${word}`).join(", ");
    return unchanged ? "nothing changed" : "no domains";
}

/** The results of one or several runs, and their tone. `null` counts are not known yet. */
export function runWords({ outcomes: counts, running = 0, missed = 0 }) {
    const words = [running ? "running" : outcomeWords(counts), missed && `${count(missed, "run")} missed before`];
    return { words: words.filter(Boolean).join(", "), tone: runTone({ counts, running, missed }) };
}

/** The words for one run of the API. */
export function oneRunWords(run) {
    return runWords({ ...run, running: run.state === "running" ? 1 : 0 });
}

function runTone({ counts, running, missed }) {
    if (counts.refused || counts.failed) return "bad";
    if (counts.frozen || missed) return "warning";
    if (running) return "accent";
    return counts.published ? "good" : "quiet";
}

/** Why there was a run; null if it was simply due. */
export function runKindWords({ kind, requestedBy }) {
    return kind === "manual" ? `${kinds.manual} by ${requestedBy.name}` : kinds[kind];
}

/** The number of domains in a run, and of those without changes. */
export function runDetail({ domains, outcomes: counts }) {
    const rest = counts.unchanged && `${number(counts.unchanged)} unchanged`;
    return [count(domains, "domain"), rest].filter(Boolean).join(", ");
}
