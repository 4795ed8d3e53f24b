import { offerCurl } from "../../../components/curl.js";
import { announce } from "../../../components/announce.js";
import { afterPause, pause } from "../../../shared/following/later.js";
import { count, number } from "../../../shared/words/numbers.js";
import { decision } from "../../../components/checking/verdict.js";
import { evaluated } from "../../../components/checking/evaluated.js";
import { later } from "../../../components/later.js";
import { maximumChecked, maximumExplained } from "../../../components/checking/typed-urls.js";
import { Newest } from "../../../shared/following/newest.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { Question } from "./question.js";
import { QuestionLink } from "./question-link.js";
import { SampleList } from "./sample-list.js";
import { VerdictCard } from "./verdict-card.js";

/** What a new rule would change about each result. */
const changes = {
    none: "Make a rule from this URL",
    opens: "Keep this URL on the web",
    excluded: "Open this URL in the app",
};

/** How long to wait after a key, in milliseconds, if there are many URLs. */
const longPause = 400;
/** How long a new question waits for the answer that is on its way, in milliseconds, before it cancels that. */
const patience = 500;

/**
 * Which app opens these URLs? The API evaluates them while the user types, so the results are the same as in the checks
 * and on the command line. One URL is the current one: the only one, or that at the caret, or the chosen one.
 *
 * It starts when a part needs it, or when the user does. Sends `verdict` for the current URL, `rule-wanted` to make a rule from it (`above` is the ID of a rule to overrule),
 * `pointer-wanted` to show a rule in the file, `tests-changed` when tests were saved, and `restored` when a link was
 * opened.
 */
export class Tester extends EventTarget {
    #page;
    #root;
    #question;
    #card;
    /** The list of the results, once there are several. */
    #results = null;
    #loadingResults = null;
    #samples;
    #link;
    #isStarted = false;
    #evaluations = [];
    #source = "draft";
    #current = 0;
    /** Whether the user has asked. Otherwise the result only follows a change, such as an edit of a rule, silently. */
    #isAsked = false;
    #verdict = { evaluation: null };
    #asking = new Newest();
    /** Counts the questions: of those that wait, only the newest is asked. */
    #turn = 0;
    #askLater = afterPause(longPause, () => this.#ask());

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "tester");
        this.#question = new Question(page, this.#root);
        this.#question.addEventListener("change", () => this.#changed());
        this.#question.addEventListener("caret", () => this.#choose(this.#question.caret));
        this.#card = new VerdictCard(page, this.#root, (evaluation) => this.#traced(evaluation));
        this.#samples = new SampleList(page, this.#root, (urls) => this.tryURL(urls));
        this.#link = new QuestionLink(this.#root, this.#question);
        offerCurl("check these URLs", () => this.#question.request);
        this.#onPress("save-test", () => this.#save((saving) => saving.open(this.#evaluation, this.#question.system)));
        this.#onPress("make-rule", () => this.#wantRule());
        part(this.#root, "explanation").addEventListener("pointer-wanted", ({ detail }) => this.#wantPointer(detail));
        for (const event of ["pointerenter", "focusin"]) {
            this.#root.addEventListener(event, () => (this.start(), page.versions.load()));
        }
        this.#card.show(null, { source: "draft", total: 0 });
        page.document.addEventListener("change", () => this.#isStarted && this.#follow());
        page.document.addEventListener("preview", () => this.#ask());
    }

    /**
     * Loads the draft, and asks about a sample URL of it, or shows what a link holds. A user who is in the field already
     * gets no sample.
     */
    async start() {
        if (this.#isStarted) return;
        this.#isStarted = true;
        try {
            await this.#page.begin();
            this.#samples.show();
            if (await this.#link.restore()) return this.dispatchEvent(new Event("restored"));
            if (this.#question.urls.length || this.#root.contains(document.activeElement)) this.#ask();
            else this.#question.text = this.#samples.first;
            this.#isAsked = false;
        } catch (problem) {
            this.#isStarted = false;
            this.#card.showProblem(problem);
        }
    }

    /** Calls `show` with the present verdict, and with every later one. */
    follow(show) {
        show(this.#verdict);
        this.addEventListener("verdict", ({ detail }) => show(detail));
    }

    /** Fills in a URL, or one per line, and evaluates them; on another system if `os` is given. */
    tryURL(urls, os = this.#question.system) {
        this.#question.system = os;
        this.#question.text = urls;
        this.#root.scrollIntoView({ block: "nearest" });
    }

    #onPress(name, action) {
        part(this.#root, name).addEventListener("click", action);
    }

    #changed() {
        this.#isAsked = true;
        this.#link.changed();
        if (this.#question.urls.length > maximumExplained) this.#askLater();
        else this.#askNext();
    }

    /** Asks now, or after the answer that is on its way, so that quick keys do not cancel one question after another. */
    async #askNext() {
        const turn = ++this.#turn;
        await Promise.race([this.#asking.onItsWay, pause(patience)]);
        if (turn === this.#turn) this.#ask();
    }

    #follow() {
        this.#samples.show();
        if (this.#question.urls.length) this.#ask();
    }

    async #ask() {
        if (!this.#page.document.draft) return this.start();
        const { urls: typed, source, file } = this.#question;
        const urls = typed.slice(0, maximumChecked);
        this.#showLimit(typed.length);
        if (!urls.length || (source === "file" && !file.canBeChecked)) {
            this.#asking.stop();
            this.#show([], source);
            if (urls.length) this.#card.say("waiting", "No file yet", "Paste or drop a file below.");
            return;
        }
        // An explanation lists every rule, so it takes a while.
        const explain = this.#card.isExplaining && urls.length <= maximumExplained;
        const ask = (signal) => evaluated((some) => this.#question.evaluate(some, source, { explain, signal }), urls);
        await this.#asking.ask(ask, {
            answered: (evaluations) => this.#show(evaluations, source),
            failed: (problem) => this.#failed(problem, source),
        });
    }

    async #traced({ url }) {
        const { body } = await this.#question.evaluate([url], this.#source, { explain: true });
        return body.evaluations[0];
    }

    #show(evaluations, source) {
        this.#evaluations = evaluations;
        this.#source = source;
        this.#current = Math.min(this.#question.caret, Math.max(0, evaluations.length - 1));
        this.#card.isSaid = this.#isAsked || this.#page.document.preview;
        this.#isAsked = false;
        if (this.#results || evaluations.length > 1) this.#showResults(evaluations, source);
        this.#showCurrent();
    }

    async #showResults(evaluations, source) {
        const draft = source === "draft" ? this.#page.document.shown : null;
        // Quick answers must not make two lists.
        this.#loadingResults ??= this.#newResultList();
        this.#results = await this.#loadingResults;
        if (!this.#results) this.#loadingResults = null;
        if (evaluations === this.#evaluations) this.#results?.show(evaluations, { draft, current: this.#current });
    }

    async #newResultList() {
        try {
            const { ResultList } = await later(() => import("./result-list.js"), "domain/results");
            const results = new ResultList(this.#page, this.#root);
            results.addEventListener("choose", ({ detail }) => this.#choose(detail));
            results.addEventListener("save", () => {
                this.#save((saving) => saving.openAll(this.#evaluations, this.#question.system));
            });
            return results;
        } catch (error) {
            announce(words(error));
            return null;
        }
    }

    #choose(index) {
        if (index === this.#current || !this.#evaluations[index]) return;
        this.#current = index;
        this.#results?.choose(index);
        this.#card.isSaid = true;
        this.#showCurrent();
    }

    get #evaluation() {
        return this.#evaluations[this.#current] ?? null;
    }

    #showCurrent() {
        const evaluation = this.#evaluation;
        const source = this.#source;
        this.#card.show(evaluation, { source, total: this.#evaluations.length });
        const isEligible = Boolean(evaluation) && !evaluation.reason;
        part(this.#root, "make-rule").hidden = !(isEligible && source === "draft" && this.#canChange(evaluation));
        part(this.#root, "make-rule-words").textContent = changes[evaluation?.outcome] ?? "";
        part(this.#root, "save-test").hidden = !isEligible;
        if (source === "file") this.#question.file.decide(evaluation && decision(evaluation));
        this.#verdict = { evaluation: source === "draft" ? evaluation : null };
        this.dispatchEvent(new CustomEvent("verdict", { detail: this.#verdict }));
    }

    #failed(problem, source) {
        this.#show([], source);
        if (source !== "file") return this.#card.showProblem(problem);
        this.#card.say("ineligible", "No result", this.#question.file.trouble(problem));
    }

    #showLimit(typed) {
        const isOver = typed > maximumChecked;
        part(this.#root, "limit").hidden = !isOver;
        const text = `Only the first ${number(maximumChecked)} of ${count(typed, "URL")} are checked.`;
        part(this.#root, "limit").textContent = isOver ? text : "";
    }

    /** Whether a new rule could change the result: an earlier one than the deciding rule, if there is one. */
    #canChange(evaluation) {
        if (evaluation.outcome === "none") return this.#page.document.draft.entries.length > 0;
        return Boolean(this.#page.document.find(decision(evaluation).rule));
    }

    async #save(open) {
        try {
            const load = () => import("./test-saving.js");
            const { TestSaving } = await later(load, "domain/tests", "domain/test-picker");
            open(new TestSaving(this.#page, this.#root, () => this.dispatchEvent(new Event("tests-changed"))));
        } catch (error) {
            announce(words(error));
        }
    }

    async #wantRule() {
        // The answer about what was just typed may still be on its way.
        await this.#asking.onItsWay;
        await pause(0);
        const evaluation = this.#evaluation;
        if (!evaluation) return;
        const { url, outcome } = evaluation;
        const load = later(() => import("../rules/rule-of-url.js"));
        const { ruleOfURL } = await load.catch((error) => (announce(words(error)), {}));
        if (!ruleOfURL) return;
        const { fields, leftOut } = ruleOfURL(url);
        if (outcome === "opens") fields.exclude = true;
        const detail = { url, fields, leftOut, above: decision(evaluation)?.rule };
        this.dispatchEvent(new CustomEvent("rule-wanted", { detail }));
    }

    #wantPointer(pointer) {
        if (this.#source === "file") this.#question.file.selectPointer(pointer);
        else this.dispatchEvent(new CustomEvent("pointer-wanted", { detail: pointer }));
    }
}
