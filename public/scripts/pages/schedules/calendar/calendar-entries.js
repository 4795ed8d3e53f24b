import { all } from "../../../shared/api/api.js";
import { count, number } from "../../../shared/words/numbers.js";
import { Problem } from "../../../shared/api/problem.js";
import { releaseName } from "../../../shared/words/release-words.js";
import { beginning, dayOf, plus } from "./days.js";
import { runWords } from "../../../shared/words/schedule-words.js";
import { runOutcomes } from "../../../shared/words/states.js";
import { clockIn, ownZone } from "../../../shared/times/zones.js";

/** The most days of one answer of the API. */
const maximumDays = 42;
const held = runOutcomes.frozen.words.toLowerCase();

/**
 * The contents of a calendar: `entries`, by day and in order of time; `freezes`, each with its first and last day;
 * `often`, the schedules that run too often to show; `zone`, the time zone of the days.
 *
 * An entry is `{ at, clock, name, words, tone, kind }` and its `schedule`, `publication` or `release`.
 */
export async function calendarEntries(api, days) {
    const [first, last] = [days[0], days.at(-1)];
    const [{ calendar, rest, zone }, publications, releases, freezes, suspensions] = await Promise.all([
        readCalendar(api, days),
        all(api, "/publications", { query: { state: "pending" } }),
        all(api, "/releases", { query: { state: "pending" } }),
        all(api, "/freezes", { limit: 200 }),
        readSuspensions(api),
    ]);
    const entries = new Map();
    const add = (day, entry) => {
        if (day < first || day > last) return;
        if (!entries.has(day)) entries.set(day, []);
        entries.get(day).push(entry);
    };
    for (const { schedule, days: told } of calendar) {
        for (const day of told) for (const entry of entriesOfSchedule(schedule, day)) add(day.date, entry);
        if (schedule.overdue) add(dayOf(schedule.nextDueAt), overdueEntry(schedule));
    }
    for (const { schedule, days: told } of rest) {
        for (const day of told) for (const entry of entriesOfSchedule(schedule, day)) add(day.date, entry);
    }
    for (const publication of publications.filter(({ at }) => at)) {
        add(dayOf(publication.at), publicationEntry(publication));
    }
    for (const release of releases.filter(({ at, dryRun }) => at && !dryRun)) {
        add(dayOf(release.at), releaseEntry(release));
    }
    for (const event of suspensions) add(dayOf(event.at), suspensionEntry(event));
    for (const list of entries.values()) list.sort((one, other) => one.at.localeCompare(other.at));
    return {
        entries,
        freezes: freezes.map(freezeSpan).filter((span) => span.first <= last && span.last >= first),
        often: calendar.filter(({ often }) => often).map(({ schedule }) => schedule).filter(isActive),
        zone,
    };
}

/** The calendar of the first days, and `rest`, that of the days after them. */
async function readCalendar(api, days) {
    const more = days.slice(maximumDays);
    const [{ calendar, zone }, rest] = await Promise.all([
        readDays(api, days[0], days.length - more.length),
        more.length ? readDays(api, more[0], more.length) : { calendar: [] },
    ]);
    return { calendar, rest: rest.calendar, zone };
}

/** Uses UTC days if PostgreSQL does not know the user's time zone. */
async function readDays(api, from, days, zone = ownZone) {
    try {
        const calendar = await all(api, "/schedule-calendar", { query: { from, days, zone } });
        return { calendar, zone };
    } catch (problem) {
        const isUnknownZone = problem instanceof Problem && problem.is("invalid_parameter") && zone !== "UTC";
        if (!isUnknownZone) throw problem;
        return readDays(api, from, days, "UTC");
    }
}

async function readSuspensions(api) {
    const query = { kind: "schedule.suspended", sort: "newest", limit: 200 };
    return (await api.get("/events", { query })).body.items;
}

function entriesOfSchedule(schedule, { ran, due }) {
    const entries = [];
    if (ran) {
        const { words, tone } = runWords(ran);
        const several = ran.runs > 1 && `${number(ran.runs)} runs until ${clockIn(ownZone, ran.lastDueAt)}: ${words}`;
        entries.push(scheduleEntry("ran", schedule, ran.firstDueAt, several || words, tone));
    }
    if (due.length) {
        const isHeld = schedule.freeze && due[0].at < schedule.freeze.endsAt;
        const dueWords = due.length > 1 ? `${number(due.length)} due until ${clockIn(ownZone, due.at(-1).at)}` : "due";
        const [words, tone] = isHeld ? [`${dueWords}, ${held}`, "warning"] : [dueWords, "accent"];
        entries.push({ ...scheduleEntry("due", schedule, due[0].at, words, tone), due });
    }
    return entries;
}

function isActive({ state }) {
    return state === "active";
}

function scheduleEntry(kind, schedule, at, words, tone) {
    return { kind, at, clock: clockIn(ownZone, at), name: schedule.name, words, tone, schedule };
}

/** For the due time that has passed without a run: the calendar's due times are only future ones. */
function overdueEntry(schedule) {
    return scheduleEntry("overdue", schedule, schedule.nextDueAt, "overdue: it has not started yet", "warning");
}

function publicationEntry(publication) {
    const { at, host, version, reverts, freeze, blockedReason } = publication;
    const what = reverts ? "rolls back" : `version ${version} goes live`;
    const overtaken = `version ${version} will be ${reverts ? "cancelled" : "suspended"}`;
    const words = blockedReason ? overtaken : freeze ? `${overtaken} (freeze)` : what;
    return {
        kind: "publication",
        at,
        clock: clockIn(ownZone, at),
        name: host,
        words,
        tone: freeze || blockedReason ? "warning" : "accent",
        publication,
    };
}

function releaseEntry(release) {
    const { at, domains, freeze, rollsBack } = release;
    const what = `${rollsBack ? "rollback" : "release"} of ${count(domains.total, "domain")}`;
    return {
        kind: "release",
        at,
        clock: clockIn(ownZone, at),
        name: releaseName(release),
        words: freeze ? `${what} will be suspended (freeze)` : `${what} goes live`,
        tone: freeze ? "warning" : "accent",
        release,
    };
}

function suspensionEntry({ at, subject, detail }) {
    const schedule = { id: detail.schedule, name: subject, zone: detail.zone };
    return scheduleEntry("suspended", schedule, at, `suspended: ${detail.reason}`, "bad");
}

function freezeSpan(freeze) {
    const end = freeze.liftedAt ?? freeze.endsAt;
    const last = dayOf(end);
    // A freeze until midnight does not cover the day that begins then.
    const endsAtMidnight = beginning(last).getTime() === new Date(end).getTime();
    const first = dayOf(freeze.createdAt);
    return { freeze, first, last: endsAtMidnight && last > first ? plus(last, -1) : last };
}
