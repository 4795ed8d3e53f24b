import { publishAddress } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { standingOf } from "../../../components/publications/publication.js";
import { showState } from "../../../shared/words/states.js";
import { versionAct } from "../../../components/publications/version-act.js";
import { keepingFocus } from "../../../shared/page/focus.js";
import { onPress } from "../../../shared/forms/press.js";
import { showMoment } from "../../../shared/times/moments.js";
import { later } from "../../../components/later.js";
import { passedText } from "../../../shared/words/test-words.js";
import { findingWords } from "../../../shared/words/finding-words.js";
import { bytes } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { loadIntoDraft } from "../draft/draft-reset.js";
import { bypasses, rollBacks, servedBy } from "./version-standing.js";

const pageSize = 20;
/** The API's largest page size. */
const maximumPageSize = 200;

const dialogs = () => later(() => import("./dialogs.js"), "domain/version-dialogs");

/** The domain's versions, newest first, with the places that serve each. Each but the live one can be published. */
export class VersionList {
    #page;
    #root;
    /** The live version; null if there is none, or if it is older than all loaded ones. */
    #live = null;
    #rolledBack = new Map();
    #bypassed = new Map();
    #serving = null;
    #wanted = new URLSearchParams(location.search).get("version");

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "versions");
        page.pending.addEventListener("change", () => this.#showStandings());
        onPress(part(this.#root, "more"), () => this.#appendMore(), (error) => this.#showProblem(error));
    }

    async show() {
        const list = part(this.#root, "version-list");
        const rows = this.#wanted ? maximumPageSize : Math.max(pageSize, list.childElementCount);
        const { body } = await this.#load(null, rows);
        this.#live = liveIn(body.items);
        keepingFocus(list, () => list.replaceChildren(...body.items.map((version) => this.#row(version))));
        part(this.#root, "empty").hidden = body.items.length > 0;
        this.#showMore(body.next);
        this.#showWanted(list);
    }

    /** Moves the focus to the version that the address names, once. */
    #showWanted(list) {
        const row = list.querySelector(`[data-key="${CSS.escape(this.#wanted ?? "")}"]`);
        this.#wanted = null;
        if (!row) return;
        row.tabIndex = -1;
        row.focus();
    }

    /** Gets the newest publications, and marks versions that were rolled back or published without approval. */
    showPublications(publications) {
        this.#rolledBack = rollBacks(publications);
        this.#bypassed = bypasses(publications);
        this.#showStandings();
    }

    /** Shows at each version which edges, directories and buckets serve it. */
    showServing(serving) {
        this.#serving = serving;
        this.#showStandings();
    }

    #showStandings() {
        for (const row of part(this.#root, "version-list").children) this.#showStanding(row);
    }

    #showStanding(row) {
        const version = Number(row.dataset.key);
        const next = this.#rolledBack.get(version);
        const pending = this.#page.pending.publications.find((each) => each.version === version);
        part(row, "pending").hidden = !pending;
        if (pending) showState(part(row, "pending"), standingOf(pending));
        fill(row, {
            "rolled-back": next && row.dataset.live !== "true" ? `Replaced by a rollback to version ${next}` : null,
            bypass: this.#bypassed.get(version),
            places: this.#serving && servedBy(this.#serving, version),
        });
    }

    #load(cursor, limit = pageSize) {
        const query = { limit: Math.min(limit, maximumPageSize), cursor };
        return this.#page.api.get(at`/domains/${this.#page.host}/versions`, { query });
    }

    async #appendMore() {
        const { body } = await this.#load(part(this.#root, "more").dataset.cursor);
        this.#live ??= liveIn(body.items);
        part(this.#root, "version-list").append(...body.items.map((version) => this.#row(version)));
        this.#showMore(body.next);
    }

    #showMore(cursor) {
        part(this.#root, "more").hidden = !cursor;
        part(this.#root, "more").dataset.cursor = cursor ?? "";
    }

    #row(version) {
        const row = clone("version", {
            number: `Version ${version.version}`,
            message: version.message,
            author: version.author?.name,
            size: bytes(version.size),
            sha256: version.sha256.slice(0, 8),
            tested: version.report.tests?.total ? passedText(version.report.tests) : null,
            found: findingWords(version.findings).text,
        });
        row.dataset.key = version.version;
        row.dataset.live = version.live;
        part(row, "sha256").title = `SHA-256 ${version.sha256}`;
        part(row, "live").hidden = !version.live;
        showMoment(part(row, "created"), version.createdAt);
        this.#showStanding(row);
        this.#offerActions(row, version);
        return row;
    }

    #offerActions(row, version) {
        const press = (button, action) => {
            onPress(button, () => (this.#showProblem(null), action()), (error) => this.#showProblem(error));
        };
        const view = part(row, "view");
        view.setAttribute("aria-label", `View the file of version ${version.version}`);
        press(view, async () => (await dialogs()).openVersionFile(this.#page, version));
        const tests = part(row, "view-tests");
        tests.hidden = !version.report.tests?.total;
        tests.setAttribute("aria-label", `View tests of version ${version.version}`);
        press(tests, async () => (await this.#withDraft(dialogs)).openVersionTests(this.#page, version));
        const compare = part(row, "compare");
        compare.setAttribute("aria-label", `Compare version ${version.version} with another`);
        press(compare, async () => (await this.#withDraft(dialogs)).openComparison(this.#page, version));
        const load = part(row, "load");
        load.setAttribute("aria-label", `Load version ${version.version} into the draft`);
        press(load, () => this.#withDraft(() => loadIntoDraft(this.#page, version.version)));
        const { host, session } = this.#page;
        const publish = part(row, "publish");
        const act = versionAct(version.version, this.#live);
        publish.hidden = version.live;
        publish.textContent = `${act.replace(`version ${version.version}`, "this version")}…`;
        publish.setAttribute("aria-label", `${act}…`);
        publish.href = publishAddress(session.organization.slug, { host, version: version.version });
    }

    /** Runs an action that needs the draft and the names of the apps, which this part has not loaded. */
    async #withDraft(action) {
        await this.#page.begin();
        return action();
    }

    #showProblem(error) {
        part(this.#root, "problem").hidden = !error;
        part(this.#root, "problem").textContent = error ? words(error) : "";
    }
}

function liveIn(versions) {
    return versions.find(({ live }) => live)?.version ?? null;
}
