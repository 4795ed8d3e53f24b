import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { confirm, openDialog } from "../../../components/dialogs.js";
import { onPress, onSubmit } from "../../../shared/forms/form.js";
import { freezeSentence } from "../../../shared/words/freeze-words.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { label, part } from "../../../shared/page/template.js";
import { openScheduleForm, tag } from "./schedule-form.js";
import { hostWords } from "../../../shared/words/host-words.js";

/**
 * The buttons of a schedule, in its row and on its page: run now, pause or resume, edit, delete. Calls `changed` with
 * the schedule after a change, and with null after a deletion.
 */
export function offerActions(root, schedule, session, { changed }) {
    const { api } = session;
    const { name, state } = schedule;
    const failed = (problem) => announce(problemWords(problem));
    const isActive = state === "active";
    part(root, "pause").textContent = isActive ? "Pause…" : "Resume";
    const actions = [
        ["run", `Run ${name} now`, () => run(api, schedule, changed)],
        ["edit", `Edit ${name}`, () => openScheduleForm(session, { schedule, saved: changed })],
        ["delete", `Delete ${name}`, () => remove(api, schedule, changed)],
        isActive
            ? ["pause", `Pause ${name}`, () => openPause(api, schedule, changed)]
            : ["pause", `Resume ${name}`, () => resume(api, schedule, changed)],
    ];
    for (const [action, words, act] of actions) onPress(label(root, action, words), act, failed);
}

async function run(api, schedule, changed) {
    const { freeze } = schedule;
    const what = freeze
        ? `${freezeSentence(freeze)} A manual run, too, publishes nothing ${target(schedule)}.`
        : `Publishes every draft that has changed and passes the checks ${target(schedule)}.`;
    const isSure = await confirm({
        title: `Run ${schedule.name} now?`,
        detail: `${what} Its regular runs do not change.`,
        action: "Run now",
    });
    if (!isSure) return;
    await api.post(at`/schedules/${schedule.id}/runs`);
    announce(`${schedule.name} is running.`);
    await changed(schedule);
}

function openPause(api, schedule, changed) {
    const { dialog, part: own } = openDialog("pause-schedule", { title: `Pause ${schedule.name}` });
    onSubmit(own("form"), async ({ reason }) => {
        const body = await change(api, schedule, { state: "paused", ...(reason && { reason }) });
        dialog.close();
        announce(`${schedule.name} paused.`);
        await changed(body);
    });
}

async function resume(api, schedule, changed) {
    const body = await change(api, schedule, { state: "active" });
    announce(`${schedule.name} resumed.`);
    await changed(body);
}

async function remove(api, schedule, changed) {
    const isSure = await confirm({
        title: `Delete ${schedule.name}?`,
        detail: "This also deletes the history of its runs. Versions, publications and live files do not change.",
        action: "Delete schedule",
    });
    if (!isSure) return;
    await api.delete(at`/schedules/${schedule.id}`, { ifMatch: tag(schedule) });
    announce(`${schedule.name} deleted.`);
    await changed(null);
}

async function change(api, schedule, patch) {
    return (await api.patch(at`/schedules/${schedule.id}`, patch, { ifMatch: tag(schedule) })).body;
}

function target({ host, label: name }) {
    return host ? `on ${hostWords(host)}` : `on every domain labelled ${name}`;
}
