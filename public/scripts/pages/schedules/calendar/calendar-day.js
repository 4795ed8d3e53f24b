import { domainAddress, releaseAddress, scheduleAddress } from "../../../shared/page/addresses.js";
import { all, at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { clone, part, showHost } from "../../../shared/page/template.js";
import { beginning, dayName, plus } from "./days.js";
import { coveredWords, freezeSentence } from "../../../shared/words/freeze-words.js";
import { oneRunWords, runKindWords, whenWords } from "../../../shared/words/schedule-words.js";
import { ownZone, showMomentIn } from "../../../shared/times/zones.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** The most runs of a schedule shown for a day: the last ones. */
const maximumRuns = 200;

/** Opens a day of the calendar: its past and due runs, publications, releases and freezes. */
export async function openDay(day, { entries, freezes }, session) {
    const { dialog, part: own } = openDialog("calendar-day", { title: dayName(day) });
    own("freezes").replaceChildren(...freezes.map(({ freeze }) => freezeNotice(freeze)));
    own("nothing").hidden = entries.length + freezes.length > 0;
    const show = (items) => own("entries").replaceChildren(...items.flat());
    const items = entries.map((entry) => itemsOf(entry, session));
    show(items);
    const cut = [];
    const ran = entries.map((entry, index) => [entry, index]).filter(([{ kind }]) => kind === "ran");
    try {
        await Promise.all(
            ran.map(async ([{ schedule }, index]) => {
                const runs = await runsOf(schedule, day, session.api);
                items[index] = runs.map((run) => runItem(run, schedule, session));
                if (runs.length >= maximumRuns) cut.push(schedule.name);
            }),
        );
        if (dialog.open) show(items);
        own("cut").hidden = cut.length === 0;
        const shown = `Showing the last ${maximumRuns} runs of ${cut.join(", ")}.`;
        own("cut").textContent = `${shown} See the schedule’s page for the others.`;
    } catch (problem) {
        own("problem").hidden = false;
        own("problem").textContent = problemWords(problem);
    }
}

function freezeNotice(freeze) {
    const covered = `Frozen: ${coveredWords(freeze)}.`;
    return clone("day-freeze", { covered, sentence: freezeSentence(freeze) });
}

async function runsOf({ id }, day, api) {
    const [from, until] = [day, plus(day, 1)].map((each) => beginning(each).toISOString().replace(".000", ""));
    const runs = await all(api, at`/schedules/${id}/runs`, { query: { from, until }, limit: maximumRuns });
    return runs.reverse();
}

function itemsOf(entry, session) {
    if (entry.kind === "publication") return [publicationItem(entry, session)];
    if (entry.kind === "release") return [releaseItem(entry, session)];
    const { schedule, at: moment, words, tone } = entry;
    const note = entry.kind === "due" ? dueNote(entry) : null;
    return [scheduleItem(schedule, session, { moment, words, tone, note })];
}

/** When the schedule runs, all of its times if there are several, and notes on times that clock changes skip. */
function dueNote({ schedule, due }) {
    const times = due.length > 1 && due.map(({ local }) => local.slice(11, 16)).join(", ");
    const notes = due.filter(({ note }) => note).map(({ expressed, note }) => `${expressed.slice(11)} ${note}`);
    return [whenWords(schedule), times, ...notes].filter(Boolean).join(" · ");
}

function runItem(run, schedule, session) {
    const { words, tone } = oneRunWords(run);
    const item = scheduleItem(schedule, session, { moment: run.dueAt, words, tone, note: runKindWords(run) });
    part(item, "link").href = scheduleAddress(session.organization.slug, schedule.id, run.id);
    return item;
}

function scheduleItem(schedule, session, { moment, words, tone, note }) {
    const item = dayItem({ zone: schedule.zone, moment, words, tone, note });
    part(item, "link").textContent = schedule.name;
    part(item, "link").href = scheduleAddress(session.organization.slug, schedule.id);
    return item;
}

function publicationItem({ publication, words, tone }, session) {
    const { host, at: moment, zone, message, requestedBy } = publication;
    const note = [requestedBy.name, message && `“${message}”`, publication.blockedReason].filter(Boolean).join(" · ");
    const item = dayItem({ zone: zone ?? "UTC", moment, words, tone, note });
    showHost(part(item, "link"), hostWords(host));
    part(item, "link").href = domainAddress(session.organization.slug, host, "versions");
    return item;
}

function releaseItem({ release, name, words, tone }, session) {
    const { id, at: moment, zone, requestedBy, message } = release;
    const item = dayItem({ zone: zone ?? "UTC", moment, words, tone, note: requestedBy.name });
    part(item, "link").textContent = message ? `“${message}”` : name;
    part(item, "link").href = releaseAddress(session.organization.slug, id);
    return item;
}

function dayItem({ zone, moment, words, tone, note }) {
    const item = clone("day-item", { words: words[0].toUpperCase() + words.slice(1), note });
    item.dataset.tone = tone;
    // The days of the calendar are the user's.
    showMomentIn(item, ownZone, moment, zone);
    return item;
}
