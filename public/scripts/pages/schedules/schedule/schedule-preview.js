import { words as problemWords } from "../../../shared/api/problem.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { Newest } from "../../../shared/following/newest.js";
import { whenWords } from "../../../shared/words/schedule-words.js";
import { ownZone, shortTimeIn, timeIn, zoneWords } from "../../../shared/times/zones.js";

/** The next runs of an expression, in its zone, the user's and UTC, with notes on times that clock changes skip. */
export class SchedulePreview {
    #root;
    #api;
    #newest = new Newest();

    constructor(root, api) {
        this.#root = root;
        this.#api = api;
    }

    /** Shows the next runs. For an empty expression shows `missing`, which says what to enter. */
    async show(expression, zone, missing = "The next runs appear here.") {
        if (!expression) {
            this.#newest.stop();
            return this.#say(missing, []);
        }
        await this.#newest.ask((signal) => this.#api.post("/schedule-previews", { expression, zone }, { signal }), {
            answered: ({ body }) => this.#say(`${whenWords(body)}.`, body.runs, zone),
            failed: (error) => this.#say(faults(error), [], zone, "bad"),
        });
    }

    #say(sentence, runs, zone, tone = "quiet") {
        const words = part(this.#root, "sentence");
        words.textContent = sentence;
        words.dataset.tone = tone;
        part(this.#root, "runs").hidden = runs.length === 0;
        if (!runs.length) return;
        const columns = columnsOf(zone, runs);
        part(this.#root, "zones").replaceChildren(...columns.map(({ name }) => clone("preview-column", { name })));
        part(this.#root, "times").replaceChildren(...runs.map((run) => previewRow(run, columns)));
    }
}

/** A column for each zone, but only one for zones with the same times. */
function columnsOf(zone, runs) {
    const columns = [
        { zone, name: zoneWords(zone) },
        { zone: ownZone, name: "Your time" },
        { zone: "UTC", name: "UTC" },
    ];
    const shown = columns.map((column) => runs.map(({ at }) => timeIn(column.zone, at)).join());
    return columns.filter((_, index) => shown.indexOf(shown[index]) === index);
}

function previewRow({ at, expressed, note }, columns) {
    const row = clone("preview-run");
    const [{ zone: first }, ...others] = columns;
    const times = [timeIn(first, at), ...others.map(({ zone }) => shortTimeIn(zone, at, first))];
    row.append(...times.map((time) => fill(clone("preview-time"), { time })));
    if (!note) return row;
    const told = clone("preview-note", { note: `${expressed.slice(11)} ${note}.` });
    row.firstElementChild.append(told);
    return row;
}

function faults(error) {
    const details = (error.errors ?? []).map(({ detail }) => detail);
    return details.length ? details.map((detail) => `${detail}.`).join(" ") : problemWords(error);
}
