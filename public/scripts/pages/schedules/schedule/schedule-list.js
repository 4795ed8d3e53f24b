import { domainAddress, scheduleAddress } from "../../../shared/page/addresses.js";
import { all } from "../../../shared/api/api.js";
import { focusNeighbour, keepingFocus } from "../../../shared/page/focus.js";
import { showMoment } from "../../../shared/times/moments.js";
import { clone, part, showHost } from "../../../shared/page/template.js";
import { offerActions } from "./schedule-actions.js";
import { oneRunWords, showScheduleState, stoppedWords, whenWords } from "../../../shared/words/schedule-words.js";
import { showMomentIn } from "../../../shared/times/zones.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** The organization's schedules by name: the domains and times of each, its last run, and its actions. */
export class ScheduleList {
    #session;
    #main;
    #root;
    #changed;
    #schedules = [];

    /** `changed` is called after every change made here, and updates the page. */
    constructor(main, session, { changed }) {
        this.#session = session;
        this.#main = main;
        this.#root = part(main, "schedules");
        this.#changed = changed;
    }

    /** Returns whether a schedule has changed, or a run has started or ended, since the last time. */
    async show() {
        const schedules = await all(this.#session.api, "/schedules");
        const before = progress(this.#schedules);
        this.#schedules = schedules;
        keepingFocus(this.#root, () => {
            part(this.#root, "list").replaceChildren(...schedules.map((schedule) => this.#row(schedule)));
        });
        part(this.#root, "columns").hidden = schedules.length === 0;
        part(this.#root, "empty").hidden = schedules.length > 0;
        return before !== progress(schedules);
    }

    get isRunning() {
        return this.#schedules.some(({ lastRun }) => lastRun?.state === "running");
    }

    #row(schedule) {
        const { expression } = schedule;
        const row = clone("schedule-row", { when: whenWords(schedule), expression, reason: stoppedWords(schedule) });
        row.dataset.key = schedule.id;
        const { slug } = this.#session.organization;
        part(row, "name").textContent = schedule.name;
        part(row, "name").href = scheduleAddress(slug, schedule.id);
        showTarget(row, schedule, slug);
        showScheduleState(part(row, "state"), schedule);
        showNext(row, schedule);
        showLast(row, schedule, slug);
        part(row, "actions").replaceChildren(clone("schedule-actions"));
        offerActions(row, schedule, this.#session, { changed: (now) => this.#changedHere(schedule, now) });
        return row;
    }

    /** After a deletion, moves the focus to the neighbour. */
    async #changedHere({ id }, now) {
        const index = this.#schedules.findIndex((schedule) => schedule.id === id);
        await this.#changed(now);
        if (!now) focusNeighbour(part(this.#root, "list").children, index, "name", part(this.#main, "overview-title"));
    }
}

/** Shows a link to the domain, or the label. */
export function showTarget(root, { host, label }, organization) {
    part(root, "host").hidden = !host;
    part(root, "labelled").hidden = Boolean(host);
    if (host) {
        showHost(part(root, "host"), hostWords(host));
        part(root, "host").href = domainAddress(organization, host);
    } else {
        part(root, "label").textContent = label;
    }
}

export function showNext(root, { nextDueAt, zone, state }) {
    part(root, "next-none").hidden = Boolean(nextDueAt);
    part(root, "next-none").textContent = state === "active" ? "Never" : "None";
    part(root, "next").hidden = !nextDueAt;
    if (nextDueAt) showMomentIn(part(root, "next"), zone, nextDueAt);
}

function showLast(row, { id, lastRun }, organization) {
    part(row, "last-none").hidden = Boolean(lastRun);
    part(row, "last").hidden = !lastRun;
    if (!lastRun) return;
    const { words, tone } = oneRunWords(lastRun);
    const link = part(row, "last-words");
    link.textContent = words[0].toUpperCase() + words.slice(1);
    link.href = scheduleAddress(organization, id, lastRun.id);
    link.dataset.tone = tone;
    showMoment(part(row, "last-at"), lastRun.startedAt);
}

function progress(schedules) {
    const told = ({ id, revision, overdue, lastRun }) => [id, revision, overdue, lastRun?.id, lastRun?.state].join(" ");
    return schedules.map(told).join();
}
