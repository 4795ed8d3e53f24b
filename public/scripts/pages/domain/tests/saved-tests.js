import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { all, at } from "../../../shared/api/api.js";
import { focusNeighbour, keepingFocus } from "../../../shared/page/focus.js";
import { onPress } from "../../../shared/forms/press.js";
import { afterPause } from "../../../shared/following/later.js";
import { count } from "../../../shared/words/numbers.js";
import { Problem, words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { TestRow } from "./test-row.js";
import { offerTestExport } from "./test-export.js";
import { outcomeText } from "../../../shared/words/test-words.js";
import { TestRuns } from "./test-runs.js";
import { UntestedRules } from "./untested-rules.js";

/** The tests drawn until the user asks for all. A button that shows fewer than `fewestHidden` is not worth a press. */
const fewEnough = 50;
const fewestHidden = 3;

/**
 * The domain's saved tests: URLs and their expected results. They run against the draft whenever it changes. Sends
 * `url-wanted` (`detail`: `{ url, os }`) when the user wants to try a URL.
 */
export class SavedTests extends EventTarget {
    #page;
    #root;
    #path;
    #runs;
    #untested;
    #tests = [];
    #rows = new Map();
    #form = null;
    #isFollowing = false;
    #showsAll = false;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "tests");
        this.#path = at`/domains/${page.host}`;
        const failed = (error) => this.#showProblem(error);
        this.#runs = new TestRuns(page, this.#root);
        this.#runs.addEventListener("results", () => (this.#showResults(), failed(null)));
        this.#runs.addEventListener("problem", ({ detail }) => (this.#showResults(), failed(detail)));
        this.#untested = new UntestedRules(page, this.#root);
        this.#untested.addEventListener("test-wanted", ({ detail }) => this.edit(detail).catch(failed));
        this.#untested.addEventListener("tests-wanted", ({ detail }) => this.#pick(detail).catch(failed));
        onPress(part(this.#root, "run"), () => this.#runs.ask(), failed);
        onPress(part(this.#root, "add-test"), () => this.edit({}), failed);
        onPress(part(this.#root, "import-tests"), () => this.#import(), failed);
        onPress(part(this.#root, "all-tests"), () => this.#showAll(), failed);
        offerTestExport(page, this.#root, failed);
    }

    /** Shows the tests and their results, and runs them again after every change of the draft. */
    async show() {
        if (!this.#isFollowing) this.#follow();
        try {
            await this.reload();
        } catch (problem) {
            this.#showProblem(problem);
            throw problem;
        }
    }

    #follow() {
        this.#isFollowing = true;
        this.#page.document.addEventListener("change", afterPause(300, () => this.#runs.isOfDraft && this.run()));
        window.addEventListener("focus", () => this.reload().catch(() => {}));
    }

    async reload() {
        await this.#load();
        await this.run();
    }

    async #load() {
        this.#tests = await all(this.#page.api, `${this.#path}/tests`);
        this.#draw();
    }

    /** Runs all tests against the chosen source. */
    run() {
        return this.#runs.run();
    }

    /** Opens the form of an existing test, or of a new one with some of its fields. */
    async edit(test) {
        const { openTestForm } = await later(() => import("./test-form.js"));
        const isNew = !test.id;
        const save = (content) => (isNew ? this.#add(content) : this.#change(test, content));
        const close = () => this.#close(test);
        this.#form = { id: test.id ?? null, element: openTestForm(this.#page, { test, isNew, save, close }) };
        this.#draw();
        this.#form.element.scrollIntoView({ block: "nearest" });
        this.#form.element.querySelector("[data-first]").focus();
    }

    /** Lets the user pick evaluated URLs for new tests. */
    async #pick(evaluations) {
        const { openTestPicker } = await later(() => import("./test-picker.js"), "domain/test-picker");
        const found = evaluations.map((evaluation) => ({ url: evaluation.url, evaluation }));
        await openTestPicker(this.#page, { title: "Tests for more rules", found, picksAll: true }, () => this.reload());
    }

    async #import() {
        const { openTestImport } = await later(() => import("./test-files.js"), "domain/test-picker");
        openTestImport(this.#page, () => this.reload());
    }

    #close({ id }) {
        this.#form = null;
        this.#draw();
        const row = id && this.#rows.get(id);
        (row ? part(row.element, "edit-test") : part(this.#root, "add-test")).focus();
    }

    async #add(content) {
        await this.#page.api.post(`${this.#path}/tests`, content);
        announce("Test saved.");
        await this.reload();
    }

    /** After another user's change the form keeps its input and uses their revision, so that saving again works. */
    async #change(test, content) {
        try {
            const path = `${this.#path}${at`/tests/${test.id}`}`;
            await this.#page.api.patch(path, content, { ifMatch: tag(test) });
        } catch (problem) {
            if (!problem.isConflict) throw problem;
            await this.reload();
            throw this.#overtaken(test);
        }
        announce("Test saved.");
        await this.reload();
    }

    #overtaken(test) {
        const theirs = this.#tests.find(({ id }) => id === test.id);
        if (!theirs) return new Problem({ detail: "This test has been deleted in the meantime." });
        test.revision = theirs.revision;
        const now = `${theirs.url}: ${outcomeText(theirs.expected, this.#page.apps)}`;
        const theirWords = `This test has been changed in the meantime. It is now ${now}.`;
        return new Problem({ detail: `${theirWords} Save again to replace it with yours.` });
    }

    async #delete(test) {
        try {
            await this.#page.api.delete(`${this.#path}${at`/tests/${test.id}`}`, { ifMatch: tag(test) });
            announce(`Test of ${test.url} deleted.`, { undo: () => this.#bringBack(test) });
            const index = this.#tests.findIndex(({ id }) => id === test.id);
            await this.#load();
            focusNeighbour(part(this.#root, "list").children, index, "edit-test", part(this.#root, "add-test"));
            await this.run();
        } catch (error) {
            this.#showProblem(error);
        }
    }

    async #bringBack({ url, expected, os, note }) {
        try {
            const { body } = await this.#page.api.post(`${this.#path}/tests`, { url, expected, os, note });
            await this.#load();
            part(this.#rows.get(body.id)?.element ?? this.#root, "edit-test")?.focus();
            announce(`Test of ${url} restored.`);
            await this.run();
        } catch (error) {
            this.#showProblem(error);
        }
    }

    #draw() {
        keepingFocus(this.#root, () => {
            const isShort = this.#tests.length < fewEnough + fewestHidden;
            const shown = this.#showsAll || isShort ? this.#tests : this.#tests.slice(0, fewEnough);
            this.#rows = new Map(shown.map((test) => [test.id, this.#row(test)]));
            part(this.#root, "list").replaceChildren(...[...this.#rows.values()].map(({ element }) => element));
            this.#placeForm();
        });
        const hidden = this.#tests.length - this.#rows.size;
        part(this.#root, "all-tests").hidden = hidden === 0;
        part(this.#root, "all-tests").textContent = `Show ${count(hidden, "more test")}`;
        part(this.#root, "empty").hidden = this.#tests.length > 0;
        const forTests = ["run", "run-choice", "run-elsewhere", "export-csv", "export-json"];
        for (const name of forTests) part(this.#root, name).hidden = !this.#tests.length;
        this.#showResults();
    }

    #row(test) {
        return new TestRow(test, {
            apps: this.#page.apps,
            tries: ({ url, os }) => {
                const detail = { url, os: os ?? "ios14" };
                this.dispatchEvent(new CustomEvent("url-wanted", { detail }));
            },
            edits: (each) => this.edit(each).catch((error) => this.#showProblem(error)),
            deletes: (each) => this.#delete(each),
        });
    }

    /** In place of its test, or below the list if the test is new or deleted. */
    #placeForm() {
        const row = this.#form && this.#rows.get(this.#form.id);
        part(this.#root, "new-test-place").replaceChildren(...(this.#form && !row ? [this.#form.element] : []));
        row?.showForm(this.#form.element);
        part(this.#root, "add-test").hidden = Boolean(this.#form) && !row;
    }

    #showAll() {
        this.#showsAll = true;
        this.#draw();
        part([...this.#rows.values()][fewEnough].element, "url").focus();
    }

    #showResults() {
        const { results, draft, isOfDraft } = this.#runs;
        for (const [id, row] of this.#rows) row.showResult(results.get(id), draft);
        this.#runs.showSummary(this.#tests);
        this.#untested.show(isOfDraft && results.size === this.#tests.length ? results : null);
    }

    #showProblem(error) {
        part(this.#root, "problem").hidden = !error;
        part(this.#root, "problem").textContent = error ? words(error) : "";
    }
}

function tag({ revision }) {
    return `"${revision}"`;
}
