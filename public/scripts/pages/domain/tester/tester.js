import { afterPause } from "../../../shared/following/later.js";
import { at } from "../../../shared/api/api.js";
import { part } from "../../../shared/page/template.js";
import { count, number } from "../../../shared/words/numbers.js";
import { decision } from "../../../components/checking/verdict.js";
import { indexAtCaret, maximumChecked, maximumExplained, typedURLs } from "../../../components/checking/typed-urls.js";
import { Newest } from "../../../shared/following/newest.js";
import { Sharing } from "../../../components/checking/sharing.js";
import { systems } from "../../../shared/words/test-words.js";
import { texts } from "../../../components/checking/share-link.js";
import { trouble } from "../../../components/checking/trouble.js";
import { AssociationFile } from "../../../shared/files/association-file.js";
import { AnotherFile } from "./another-file.js";
import { ResultList } from "./result-list.js";
import { ruleOfURL } from "../rules/rule-of-url.js";
import { SampleList } from "./sample-list.js";
import { SourceChoice } from "./sources.js";
import { TestSaving } from "./test-saving.js";
import { VerdictCard } from "./verdict-card.js";

/** How long to wait after a key, in milliseconds: many URLs are asked for less often. */
const shortPause = 20;
const longPause = 400;

/**
 * Which app opens these URLs? The API evaluates them while the user types, so the results are the same as in the checks
 * and on the command line. One URL is the current one: the only one, or that at the caret, or the chosen one.
 *
 * Sends `verdict` for the current URL, `rule-wanted` to make a rule from it, `pointer-wanted` to show a rule in the
 * file, and `tests-changed` when tests were saved.
 */
export class Tester extends EventTarget {
    #page;
    #root;
    #input;
    #source;
    #system;
    #file;
    #card;
    #results;
    #sharing;
    #samples;
    #isStarted = false;
    #evaluations = [];
    #current = 0;
    #asking = new Newest();
    #askSoon = afterPause(shortPause, () => this.#ask());
    #askLater = afterPause(longPause, () => this.#ask());

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "tester");
        this.#input = part(this.#root, "urls");
        this.#system = part(this.#root, "system");
        this.#system.append(...Object.entries(systems).reverse().map(([value, name]) => new Option(name, value)));
        this.#source = new SourceChoice(part(this.#root, "source"), page.versions, { withFile: true });
        this.#card = new VerdictCard(page, this.#root, (evaluation) => this.#traced(evaluation));
        this.#results = new ResultList(page, this.#root);
        this.#results.addEventListener("choose", ({ detail }) => this.#choose(detail));
        this.#file = new AnotherFile(page, part(this.#root, "file-place"), () => this.#changed());
        this.#sharing = new Sharing(this.#root, this, { prefix: "try=" });
        this.#samples = new SampleList(page, this.#root, (urls) => this.tryURL(urls));
        const saving = new TestSaving(page, this.#root, () => this.dispatchEvent(new Event("tests-changed")));
        part(this.#root, "save-test").addEventListener("click", () => saving.open(this.#evaluation, this.#system.value));
        part(this.#root, "save-tests").addEventListener("click", () => saving.openAll(this.#evaluations, this.#system.value));
        part(this.#root, "make-rule").addEventListener("click", () => this.#wantRule());
        part(this.#root, "explanation").addEventListener("pointer-wanted", ({ detail }) => this.#wantPointer(detail));
        this.#input.addEventListener("input", () => this.#changed());
        for (const event of ["keyup", "click"]) this.#input.addEventListener(event, () => this.#choose(indexAtCaret(this.#input)));
        for (const select of [part(this.#root, "source"), this.#system]) select.addEventListener("change", () => this.#changed());
        page.document.addEventListener("change", () => this.#follow());
    }

    /** The input as JSON, for a link. */
    get state() {
        const file = this.#source.value === "file" ? this.#file.json : {};
        return { urls: this.#input.value, source: String(this.#source.value), system: this.#system.value, ...file };
    }

    /** Checks the JSON of a link. Throws if it is none. */
    read(json) {
        const file = json.source === "file" ? AssociationFile.fromJSON(json) : null;
        return { ...texts(json, "urls", "source", "system"), file };
    }

    restore({ urls, source, system, file }) {
        this.#input.value = urls;
        this.#source.value = source;
        this.#system.value = system in systems ? system : "ios14";
        if (file) this.#file.open(file);
        this.#changed();
        this.#root.scrollIntoView({ block: "nearest" });
    }

    /** Fills in a URL, or one per line, and evaluates them. */
    tryURL(urls) {
        this.#input.value = urls;
        this.#changed();
        this.#root.scrollIntoView({ block: "nearest" });
    }

    #changed() {
        this.#file.isShown = this.#source.value === "file";
        this.#sharing.changed();
        const isMany = typedURLs(this.#input.value, this.#page.host).length > maximumExplained;
        (isMany ? this.#askLater : this.#askSoon)();
    }

    async #follow() {
        const samples = this.#samples.show();
        const isFirst = !this.#isStarted;
        this.#isStarted = true;
        if (isFirst && (await this.#sharing.restore())) return;
        if (!this.#input.value) this.#input.value = samples[0] ?? `https://${this.#page.host}/`;
        this.#ask();
        if (isFirst) this.#page.versions.load();
    }

    async #ask() {
        const typed = typedURLs(this.#input.value, this.#page.host);
        const urls = typed.slice(0, maximumChecked);
        this.#showLimit(typed.length);
        const source = this.#source.value;
        if (!urls.length || (source === "file" && !this.#file.canBeChecked)) {
            this.#asking.stop();
            this.#show([], source);
            if (urls.length) this.#card.say("waiting", "No file yet", "Paste a file above, or drop it there.");
            return;
        }
        await this.#asking.ask((signal) => this.#evaluate(urls, source, signal), {
            answered: ({ body }) => this.#show(body.evaluations, source),
            failed: (problem) => this.#failed(problem, source),
        });
    }

    #evaluate(urls, source, signal) {
        const question = { urls, os: this.#system.value };
        const options = { signal, query: urls.length > maximumExplained ? {} : { explain: true } };
        if (source === "file") return this.#file.evaluate(question, options);
        return this.#page.api.post(at`/domains/${this.#page.host}/evaluations`, { ...question, source }, options);
    }

    async #traced({ url }) {
        const { body } = await this.#evaluate([url], this.#source.value);
        return body.evaluations[0];
    }

    #show(evaluations, source) {
        this.#evaluations = evaluations;
        this.#current = Math.min(indexAtCaret(this.#input), Math.max(0, evaluations.length - 1));
        const draft = source === "draft" ? this.#page.document : null;
        this.#results.show(evaluations, { draft, current: this.#current });
        this.#showCurrent(source);
    }

    #choose(index) {
        if (index === this.#current || !this.#evaluations[index]) return;
        this.#current = index;
        this.#results.choose(index);
        this.#showCurrent(this.#source.value);
    }

    get #evaluation() {
        return this.#evaluations[this.#current] ?? null;
    }

    #showCurrent(source) {
        const evaluation = this.#evaluation;
        this.#card.show(evaluation, { source, isOneOfMany: this.#evaluations.length > 1 });
        const isEligible = Boolean(evaluation) && !evaluation.reason;
        const hasEntry = this.#page.document.draft.entries.length > 0;
        part(this.#root, "make-rule").hidden = !(isEligible && hasEntry && source === "draft" && evaluation.outcome === "none");
        part(this.#root, "save-test").hidden = !isEligible;
        if (source === "file") this.#file.decide(evaluation && decision(evaluation));
        this.#tell(source === "draft" ? evaluation : null);
    }

    #failed(problem, source) {
        this.#show([], source);
        if (source !== "file") this.#card.showProblem(problem);
        else if (problem.is("invalid_association")) this.#card.say("ineligible", "No result", "The file cannot be read. See its findings.");
        else this.#card.say("ineligible", "No result", trouble(problem));
    }

    #tell(evaluation) {
        this.dispatchEvent(new CustomEvent("verdict", { detail: { evaluation } }));
    }

    #showLimit(typed) {
        const isOver = typed > maximumChecked;
        part(this.#root, "limit").hidden = !isOver;
        const text = `Only the first ${number(maximumChecked)} of ${count(typed, "URL")} are checked.`;
        part(this.#root, "limit").textContent = isOver ? text : "";
    }

    #wantRule() {
        const { url } = this.#evaluation;
        this.dispatchEvent(new CustomEvent("rule-wanted", { detail: { url, ...ruleOfURL(url) } }));
    }

    #wantPointer(pointer) {
        if (this.#source.value === "file") this.#file.selectPointer(pointer);
        else this.dispatchEvent(new CustomEvent("pointer-wanted", { detail: pointer }));
    }
}
