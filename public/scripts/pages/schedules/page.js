import { announce } from "../../components/announce.js";
import { follow } from "../../shared/following/follow.js";
import { onPress } from "../../shared/forms/form.js";
import { startPage } from "../../components/start-page.js";
import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";
import { Calendar } from "./calendar/calendar.js";
import { Freezes } from "./freezes.js";
import { openScheduleForm } from "./schedule/schedule-form.js";
import { ScheduleList } from "./schedule/schedule-list.js";
import { ScheduleView } from "./schedule/schedule-view.js";

/** How often to reload content that sends no events, in milliseconds: a run in progress, a time that has passed. */
const [soon, later] = [1_000, 15_000];

const main = document.getElementById("main");
const asked = new URLSearchParams(location.search);

startPage(async (session) => {
    const schedule = asked.get("schedule");
    if (schedule) await showSchedule(session, schedule);
    else await showOverview(session);
}, { followsEvents: true });

async function showSchedule(session, schedule) {
    const place = await session.place;
    const view = new ScheduleView(main, session, { schedule, run: asked.get("run") });
    await view.show();
    part(main, "loading").hidden = true;
    view.follow(place);
}

async function showOverview(session) {
    const place = await session.place;
    const show = () => Promise.all([list.show(), freezes.show(), calendar.showOrTell()]);
    const list = new ScheduleList(main, session, { changed: show });
    const calendar = new Calendar(main, session);
    const freezes = new Freezes(main, session, { changed: show });
    for (const button of main.querySelectorAll("[data-makes-schedule]")) {
        onPress(button, () => openScheduleForm(session, { saved: show }), (error) => announce(words(error)));
    }
    calendar.showOrTell();
    await Promise.all([list.show(), freezes.show()]);
    part(main, "overview").hidden = false;
    part(main, "loading").hidden = true;
    const isWanted = asked.has("host") || asked.has("new");
    if (isWanted && session.can("createSchedule")) openForm(session, { host: asked.get("host") ?? undefined, saved: show });
    follow(session.api, {
        place,
        kind: ["schedule", "run", "freeze"],
        first: list.isRunning ? soon : later,
        show: () => refresh(list, freezes, calendar),
        failed: (error) => error && !error.isPassing && announce(words(error)),
    });
}

/** Opens the form if the address asks for it, and removes that from the address: a reload does not open it again. */
function openForm(session, options) {
    const address = new URL(location.href);
    for (const name of ["host", "new"]) address.searchParams.delete(name);
    history.replaceState(null, "", address);
    openScheduleForm(session, options);
}

/** Updates the page unless a dialog is open. Returns the pause before the next update, in milliseconds. */
async function refresh(list, freezes, calendar) {
    if (document.querySelector("dialog[open]")) return soon;
    const changes = await Promise.all([list.show(), freezes.show()]);
    if (changes.some(Boolean)) await calendar.showOrTell();
    return list.isRunning ? soon : later;
}
