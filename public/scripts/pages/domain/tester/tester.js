import { offerCurl } from "../../../components/curl.js";
import { afterPause } from "../../../shared/following/later.js";
import { count, number } from "../../../shared/words/numbers.js";
import { decision } from "../../../components/checking/verdict.js";
import { evaluated } from "../../../components/checking/evaluated.js";
import { maximumChecked, maximumExplained } from "../../../components/checking/typed-urls.js";
import { Newest } from "../../../shared/following/newest.js";
import { part } from "../../../shared/page/template.js";
import { Sharing } from "../../../components/checking/sharing.js";
import { trouble } from "../../../components/checking/trouble.js";
import { Question } from "./question.js";
import { ResultList } from "./result-list.js";
import { ruleOfURL } from "../rules/rule-of-url.js";
import { SampleList } from "./sample-list.js";
import { TestSaving } from "./test-saving.js";
import { VerdictCard } from "./verdict-card.js";

/** What a new rule would change about each result. */
const changes = {
    none: "Make a rule from this URL",
    opens: "Keep this URL on the web",
    excluded: "Open this URL in the app",
};

/** How long to wait after a key, in milliseconds: many URLs are asked for less often. */
const shortPause = 20;
const longPause = 400;

/**
 * Which app opens these URLs? The API evaluates them while the user types, so the results are the same as in the checks
 * and on the command line. One URL is the current one: the only one, or that at the caret, or the chosen one.
 *
 * Sends `verdict` for the current URL, `rule-wanted` to make a rule from it (`above` is the ID of a rule to overrule),
 * `pointer-wanted` to show a rule in the file, `tests-changed` when tests were saved, and `restored` when a link was
 * opened.
 */
export class Tester extends EventTarget {
    #page;
    #root;
    #question;
    #card;
    #results;
    #samples;
    #sharing;
    #isStarted = false;
    #evaluations = [];
    #source = "draft";
    #current = 0;
    #asking = new Newest();
    #askSoon = afterPause(shortPause, () => this.#ask());
    #askLater = afterPause(longPause, () => this.#ask());

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "tester");
        this.#question = new Question(page, this.#root);
        this.#question.addEventListener("change", () => this.#changed());
        this.#question.addEventListener("caret", () => this.#choose(this.#question.caret));
        this.#card = new VerdictCard(page, this.#root, (evaluation) => this.#traced(evaluation));
        this.#results = new ResultList(page, this.#root);
        this.#results.addEventListener("choose", ({ detail }) => this.#choose(detail));
        this.#samples = new SampleList(page, this.#root, (urls) => this.tryURL(urls));
        this.#sharing = new Sharing(this.#root, this.#question, { prefix: "try=" });
        offerCurl("check these URLs", () => this.#question.request, part(this.#root, "as-curl"));
        const saving = new TestSaving(page, this.#root, () => this.dispatchEvent(new Event("tests-changed")));
        this.#onPress("save-test", () => saving.open(this.#evaluation, this.#question.system));
        this.#onPress("save-tests", () => saving.openAll(this.#evaluations, this.#question.system));
        this.#onPress("make-rule", () => this.#wantRule());
        part(this.#root, "explanation").addEventListener("pointer-wanted", ({ detail }) => this.#wantPointer(detail));
        page.document.addEventListener("change", () => this.#follow());
        page.document.addEventListener("preview", () => this.#ask());
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
        this.#sharing.changed();
        (this.#question.urls.length > maximumExplained ? this.#askLater : this.#askSoon)();
    }

    async #follow() {
        const samples = this.#samples.show();
        const isFirst = !this.#isStarted;
        this.#isStarted = true;
        if (isFirst && (await this.#sharing.restore())) return this.dispatchEvent(new Event("restored"));
        if (!this.#question.urls.length) this.#question.text = samples[0] ?? `https://${this.#page.host}/`;
        else this.#ask();
        if (isFirst) this.#page.versions.load();
    }

    async #ask() {
        const { urls: typed, source, file } = this.#question;
        const urls = typed.slice(0, maximumChecked);
        this.#showLimit(typed.length);
        if (!urls.length || (source === "file" && !file.canBeChecked)) {
            this.#asking.stop();
            this.#show([], source);
            if (urls.length) this.#card.say("waiting", "No file yet", "Paste a file below, or drop it there.");
            return;
        }
        const explain = urls.length <= maximumExplained;
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
        const draft = source === "draft" ? this.#page.document.shown : null;
        this.#results.show(evaluations, { draft, current: this.#current });
        this.#showCurrent();
    }

    #choose(index) {
        if (index === this.#current || !this.#evaluations[index]) return;
        this.#current = index;
        this.#results.choose(index);
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
        const detail = { evaluation: source === "draft" ? evaluation : null };
        this.dispatchEvent(new CustomEvent("verdict", { detail }));
    }

    #failed(problem, source) {
        this.#show([], source);
        if (source !== "file") return this.#card.showProblem(problem);
        const unreadable = "The file cannot be read. See its findings.";
        this.#card.say("ineligible", "No result", problem.is("invalid_association") ? unreadable : trouble(problem));
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

    #wantRule() {
        const { url, outcome } = this.#evaluation;
        const { fields, leftOut } = ruleOfURL(url);
        if (outcome === "opens") fields.exclude = true;
        const detail = { url, fields, leftOut, above: decision(this.#evaluation)?.rule };
        this.dispatchEvent(new CustomEvent("rule-wanted", { detail }));
    }

    #wantPointer(pointer) {
        if (this.#source === "file") this.#question.file.selectPointer(pointer);
        else this.dispatchEvent(new CustomEvent("pointer-wanted", { detail: pointer }));
    }
}
