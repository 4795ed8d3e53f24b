import { addressWithOrganization, scheduleAddress } from "../../../shared/page/addresses.js";
import { all } from "../../../shared/api/api.js";
import { showScheduleState, stoppedWords, whenWords } from "../../../shared/words/schedule-words.js";
import { showMomentIn } from "../../../shared/times/zones.js";
import { clone, part } from "../../../shared/page/template.js";

/** The schedules that publish this domain, by its name or by a label, with their next runs. */
export class DomainSchedules {
    #page;
    #root;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "schedules");
        const { slug } = page.session.organization;
        const address = new URL(addressWithOrganization("/schedules", slug), location.href);
        address.searchParams.set("host", page.host);
        part(this.#root, "new-schedule").href = address;
    }

    async show() {
        const { host, api } = this.#page;
        const schedules = await all(api, "/schedules", { query: { host } });
        part(this.#root, "schedule-list").replaceChildren(...schedules.map((schedule) => this.#row(schedule)));
        part(this.#root, "schedule-list").hidden = schedules.length === 0;
        part(this.#root, "no-schedules").hidden = schedules.length > 0;
        this.#root.hidden = false;
    }

    #row(schedule) {
        const { id, name, label, nextDueAt, zone } = schedule;
        const row = clone("domain-schedule", {
            name,
            labelled: label && `by label ${label}`,
            when: whenWords(schedule),
            note: stoppedWords(schedule),
        });
        part(row, "name").href = scheduleAddress(this.#page.session.organization.slug, id);
        showScheduleState(part(row, "state"), schedule);
        part(row, "next").hidden = !nextDueAt;
        if (nextDueAt) showMomentIn(part(row, "next"), zone, nextDueAt);
        return row;
    }
}
