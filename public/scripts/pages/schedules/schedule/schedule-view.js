import { addressWithOrganization } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { follow } from "../../../shared/following/follow.js";
import { showMoment } from "../../../shared/times/moments.js";
import { words } from "../../../shared/api/problem.js";
import { clone, part } from "../../../shared/page/template.js";
import { RunList } from "./run-list.js";
import { offerActions } from "./schedule-actions.js";
import { showNext, showTarget } from "./schedule-list.js";
import { SchedulePreview } from "./schedule-preview.js";
import { catchUpSentence, showScheduleState, stoppedWords, whenWords } from "../../../shared/words/schedule-words.js";

/** Milliseconds between two updates of things without events: a run in progress, a time that has passed. */
const [soon, later] = [1_000, 15_000];

/** One schedule: what it does and when, its next runs, and the history of its runs. */
export class ScheduleView {
    #session;
    #root;
    #id;
    #runs;
    #preview;
    /** The state that the buttons and the preview were made for. */
    #made = {};

    constructor(main, session, { schedule, run }) {
        this.#session = session;
        this.#root = part(main, "schedule");
        this.#id = schedule;
        this.#runs = new RunList(part(this.#root, "runs-panel"), session, { schedule, run });
        this.#preview = new SchedulePreview(part(this.#root, "preview"), session.api);
        part(this.#root, "back").href = addressWithOrganization("/schedules", session.organization.slug);
    }

    async show() {
        await this.#fill(await this.#read());
        this.#root.hidden = false;
    }

    /** Keeps the page up to date, from the events after `place` on. */
    follow(place) {
        const failed = (error) => {
            part(this.#root, "problem").hidden = !error;
            part(this.#root, "problem").textContent = error ? words(error) : "";
        };
        const kind = ["schedule", "run", "freeze"];
        follow(this.#session.api, { place, kind, show: () => this.#refresh(), failed });
    }

    async #read() {
        return (await this.#session.api.get(at`/schedules/${this.#id}`)).body;
    }

    async #fill(schedule) {
        this.#showHead(schedule);
        await this.#runs.show(schedule);
    }

    /** Shows changes, but not under an open dialog. Returns after how many milliseconds to look again. */
    async #refresh() {
        if (document.querySelector("dialog[open]")) return soon;
        this.#showHead(await this.#read());
        await this.#runs.refresh();
        return this.#runs.isRunning ? soon : later;
    }

    #showHead(schedule) {
        const { organization } = this.#session;
        document.title = `${schedule.name} · Schedules · Waymark`;
        part(this.#root, "name").textContent = schedule.name;
        showScheduleState(part(this.#root, "state"), schedule);
        showTarget(this.#root, schedule, organization.slug);
        part(this.#root, "when").textContent = whenWords(schedule);
        part(this.#root, "expression").textContent = schedule.expression;
        part(this.#root, "zone").textContent = schedule.zone;
        part(this.#root, "policy").textContent = catchUpSentence(schedule.catchUpSeconds);
        part(this.#root, "message").textContent = schedule.message ? `“${schedule.message}”` : "None";
        part(this.#root, "creator").textContent = schedule.createdBy.name;
        showMoment(part(this.#root, "created"), schedule.createdAt);
        showNext(this.#root, schedule);
        part(this.#root, "stopped").hidden = !stoppedWords(schedule);
        part(this.#root, "stopped").dataset.tone = schedule.state === "suspended" ? "bad" : "warning";
        part(this.#root, "reason").textContent = stoppedWords(schedule);
        this.#onceFor("actions", [schedule.revision, schedule.state], () => this.#showActions(schedule));
        this.#onceFor("preview", [schedule.revision, schedule.state, schedule.nextDueAt], () => {
            part(this.#root, "preview").hidden = schedule.state !== "active";
            if (schedule.state === "active") this.#preview.show(schedule.expression, schedule.zone);
        });
    }

    #onceFor(what, values, make) {
        const key = values.join();
        if (this.#made[what] === key) return;
        this.#made[what] = key;
        make();
    }

    /** New buttons for each revision and state, so that none acts on an old one. */
    #showActions(schedule) {
        const actions = clone("schedule-actions");
        part(this.#root, "actions").replaceChildren(actions);
        offerActions(actions, schedule, this.#session, { changed: (changed) => this.#changed(changed) });
    }

    async #changed(schedule) {
        if (schedule) return this.#fill(await this.#read());
        location.assign(addressWithOrganization("/schedules", this.#session.organization.slug));
    }
}
