import { domainAddress } from "../../../shared/page/addresses.js";
import { all, at } from "../../../shared/api/api.js";
import { AppNames } from "../../../shared/words/app-names.js";
import { showReport } from "../../../components/gate-report.js";
import { onPress } from "../../../shared/forms/form.js";
import { count, number } from "../../../shared/words/numbers.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { clone, part, showHost } from "../../../shared/page/template.js";
import { oneRunWords, runDetail, runKindWords } from "../../../shared/words/schedule-words.js";
import { runOutcomes } from "../../../shared/words/states.js";
import { showMomentIn } from "../../../shared/times/zones.js";
import { hostWords } from "../../../shared/words/host-words.js";

const pageSize = 20;
/** The most domains shown of a run, failures first. */
const maximumOutcomes = 1_000;
const order = ["failed", "refused", "frozen", "published"];

/** The runs of a schedule, newest first; each opens to the results of its domains. */
export class RunList {
    #root;
    #session;
    #schedule;
    #asked;
    #runs = [];
    #zone = "UTC";
    #apps = null;

    constructor(root, session, { schedule, run }) {
        this.#root = root;
        this.#session = session;
        this.#schedule = schedule;
        this.#asked = run;
        onPress(part(root, "more"), () => this.#appendOlder(), (error) => this.#failed(error));
    }

    get isRunning() {
        return this.#runs.some(({ state }) => state === "running");
    }

    async show({ zone }) {
        this.#zone = zone;
        const { body } = await this.#page();
        this.#runs = body.items;
        await this.#addAsked();
        part(this.#root, "list").replaceChildren(...this.#runs.map((run) => this.#row(run)));
        this.#showMore(body.next);
        this.#openAsked();
    }

    /** Updates the list: adds new runs at the top and redraws running ones. */
    async refresh() {
        const { body } = await this.#page();
        const isKnown = ({ id }) => this.#runs.some((run) => run.id === id);
        // More new runs than a page holds: the list would have a gap.
        if (this.#runs.length > 0 && !body.items.some(isKnown)) return this.show({ zone: this.#zone });
        const list = part(this.#root, "list");
        for (const run of body.items.reverse()) {
            const known = this.#runs.find(({ id }) => id === run.id);
            const row = list.querySelector(`[data-key="${run.id}"]`);
            if (!known) {
                this.#runs.unshift(run);
                list.prepend(this.#row(run));
            } else if (known.state === "running") {
                Object.assign(known, run);
                this.#fill(row, run);
                if (part(row, "run").open) await this.#showOutcomes(row, run);
            }
        }
        this.#showMore(part(this.#root, "more").dataset.cursor);
    }

    /** Adds the run in the page's address, which may be an old one. */
    async #addAsked() {
        if (!this.#asked || this.#runs.some(({ id }) => id === this.#asked)) return;
        const { body } = await this.#session.api.get(at`/schedules/${this.#schedule}/runs/${this.#asked}`);
        this.#runs.unshift(body);
    }

    #openAsked() {
        const row = this.#asked && part(this.#root, "list").querySelector(`[data-key="${CSS.escape(this.#asked)}"]`);
        if (!row) return;
        this.#asked = null;
        part(row, "run").open = true;
        row.scrollIntoView({ block: "center" });
    }

    #page(cursor = null) {
        return this.#session.api.get(at`/schedules/${this.#schedule}/runs`, { query: { limit: pageSize, cursor } });
    }

    async #appendOlder() {
        const { body } = await this.#page(part(this.#root, "more").dataset.cursor);
        const older = body.items.filter(({ id }) => !this.#runs.some((run) => run.id === id));
        this.#runs.push(...older);
        const rows = older.map((run) => this.#row(run));
        part(this.#root, "list").append(...rows);
        this.#showMore(body.next);
        rows[0]?.querySelector("summary").focus();
    }

    #showMore(cursor) {
        part(this.#root, "more").hidden = !cursor;
        part(this.#root, "more").dataset.cursor = cursor ?? "";
        part(this.#root, "empty").hidden = this.#runs.length > 0;
    }

    #row(run) {
        const row = clone("run");
        row.dataset.key = run.id;
        this.#fill(row, run);
        part(row, "run").addEventListener("toggle", async ({ target }) => {
            if (!target.open) return;
            const current = this.#runs.find(({ id }) => id === run.id);
            await this.#showOutcomes(row, current).catch((error) => this.#failed(error));
        });
        return row;
    }

    #fill(row, run) {
        const { words, tone } = oneRunWords(run);
        showMomentIn(row, this.#zone, run.dueAt);
        part(row, "words").textContent = words[0].toUpperCase() + words.slice(1);
        part(row, "words").dataset.tone = tone;
        const detail = [runDetail(run), runKindWords(run)].filter(Boolean).join(" · ");
        part(row, "detail").textContent = detail;
    }

    async #showOutcomes(row, run) {
        const path = at`/schedules/${this.#schedule}/runs/${run.id}/outcomes`;
        const found = await all(this.#session.api, path, { limit: maximumOutcomes });
        this.#apps ??= new AppNames(await all(this.#session.api, "/apps"));
        const sorted = found.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
        part(row, "outcomes").replaceChildren(...sorted.map((outcome) => this.#outcome(outcome)));
        part(row, "no-outcomes").hidden = found.length > 0;
        part(row, "no-outcomes").textContent = nothingWords(run);
        const { domains, outcomes: counts } = run;
        const rest = domains - counts.unchanged - found.length;
        const notShown = [
            counts.unchanged && `${number(counts.unchanged)} more unchanged.`,
            rest > 0 && `${number(rest)} more not shown here.`,
        ].filter(Boolean);
        part(row, "rest").hidden = notShown.length === 0 || found.length === 0;
        part(row, "rest").textContent = notShown.join(" ");
    }

    #outcome({ host, outcome, cause, report, publication }) {
        const { words, tone } = runOutcomes[outcome];
        const item = clone("outcome", { cause });
        showHost(part(item, "host"), hostWords(host));
        const place = publication ? "versions" : "rules";
        part(item, "host").href = domainAddress(this.#session.organization.slug, host, place);
        part(item, "state").textContent = words;
        part(item, "state").dataset.tone = tone;
        part(item, "report").hidden = !report;
        if (report) showReport(part(item, "report"), report, { apps: this.#apps, document: null });
        return item;
    }

    #failed(error) {
        const problem = part(this.#root, "problem");
        problem.textContent = problemWords(error);
        problem.hidden = false;
    }
}

/** Why a run has no results to list. */
function nothingWords({ domains, outcomes: { unchanged } }) {
    if (!domains) return "No domain had the label when it ran.";
    return unchanged ? `${count(unchanged, "domain")} unchanged.` : "No results yet.";
}
