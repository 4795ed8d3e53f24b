import { addressWithOrganization } from "../addresses.js";
import { at } from "../api.js";
import { pause } from "../later.js";
import { showTime } from "../moments.js";
import { words } from "../problem.js";
import { clone, part } from "../template.js";
import { RunList } from "./run-list.js";
import { offerActions } from "./schedule-actions.js";
import { showNext, showTarget } from "./schedule-list.js";
import { SchedulePreview } from "./schedule-preview.js";
import { catchUpSentence, showScheduleState, stoppedWords, whenWords } from "./schedule-words.js";

/** One schedule: what it does and when, its next runs, and the history of its runs. */
export class ScheduleView {
    #session;
    #root;
    #id;
    #runs;
    #preview;

    constructor(main, session, { schedule, run }) {
        this.#session = session;
        this.#root = part(main, "schedule");
        this.#id = schedule;
        this.#runs = new RunList(part(this.#root, "runs-panel"), session, { schedule, run });
        this.#preview = new SchedulePreview(part(this.#root, "preview"), session.api);
        part(this.#root, "back").href = addressWithOrganization("/schedules", session.organization.slug);
    }

    async show() {
        const { body } = await this.#session.api.get(at`/schedules/${this.#id}`);
        await this.#fill(body);
        this.#root.hidden = false;
        this.#follow();
    }

    async #fill(schedule) {
        const { organization } = this.#session;
        document.title = `${schedule.name} · Schedules · Waymark`;
        part(this.#root, "name").textContent = schedule.name;
        showScheduleState(part(this.#root, "state"), schedule.state);
        showTarget(this.#root, schedule, organization.slug);
        part(this.#root, "when").textContent = whenWords(schedule);
        part(this.#root, "expression").textContent = schedule.expression;
        part(this.#root, "zone").textContent = schedule.zone;
        part(this.#root, "policy").textContent = catchUpSentence(schedule.catchUpSeconds);
        part(this.#root, "message").textContent = schedule.message ? `“${schedule.message}”` : "Nothing";
        part(this.#root, "creator").textContent = schedule.createdBy.name;
        showTime(part(this.#root, "created"), schedule.createdAt);
        showNext(this.#root, schedule);
        part(this.#root, "stopped").hidden = !stoppedWords(schedule);
        part(this.#root, "stopped").dataset.tone = schedule.state === "suspended" ? "bad" : "warning";
        part(this.#root, "reason").textContent = stoppedWords(schedule);
        this.#showActions(schedule);
        part(this.#root, "preview").hidden = schedule.state !== "active";
        if (schedule.state === "active") this.#preview.show(schedule.expression, schedule.zone);
        await this.#runs.show(schedule);
    }

    /** The buttons are made anew with each state, so that none acts on what the schedule was before. */
    #showActions(schedule) {
        const actions = clone("schedule-actions");
        part(this.#root, "actions").replaceChildren(actions);
        offerActions(actions, schedule, this.#session, { changed: (changed) => this.#changed(changed) });
    }

    async #changed(schedule) {
        if (schedule) return this.#fill((await this.#session.api.get(at`/schedules/${this.#id}`)).body);
        location.assign(addressWithOrganization("/schedules", this.#session.organization.slug));
    }

    /** Asks again while a run goes on, and seldom otherwise. */
    async #follow() {
        for (;;) {
            await pause(this.#runs.isRunning ? 1_000 : 15_000);
            if (document.hidden || document.querySelector("dialog[open]")) continue;
            try {
                await this.#runs.refresh();
                part(this.#root, "problem").hidden = true;
            } catch (error) {
                part(this.#root, "problem").hidden = false;
                part(this.#root, "problem").textContent = words(error);
            }
        }
    }
}
