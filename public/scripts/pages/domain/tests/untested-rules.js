import { at } from "../../../shared/api/api.js";
import { clone, label, part } from "../../../shared/page/template.js";
import { count, number } from "../../../shared/words/numbers.js";
import { decision, verdict } from "../../../components/checking/verdict.js";
import { expectedOf } from "../tester/verdict-words.js";
import { patternText } from "../../../shared/words/pattern.js";
import { sampleURL } from "../tester/samples.js";
import { shortURL } from "../../../components/checking/typed-urls.js";

const unknown = "No sample URL: another rule may match first. Enter a URL that this rule decides.";

/**
 * The rules that decide no saved test, each with a sample URL for a new one. Sends `test-wanted` with the fields of a
 * test, and `tests-wanted` with the evaluations of all samples. The samples are made and checked only when the user
 * opens the list.
 */
export class UntestedRules extends EventTarget {
    #page;
    #details;
    #rules = [];
    #samples = [];
    #turn = 0;

    constructor(page, root) {
        super();
        this.#page = page;
        this.#details = part(root, "untested");
        this.#details.addEventListener("toggle", () => this.#draw());
        part(root, "add-all").addEventListener("click", () => this.#send("tests-wanted", this.#samples));
    }

    /** `results` are those of a run against the draft, or null to hide the list. */
    show(results) {
        const { draft } = this.#page.document;
        const tested = new Set([...(results?.values() ?? [])].map(({ rule }) => rule));
        const all = draft.entries.flatMap((entry) => (entry.rules ?? []).map((rule) => ({ rule, entry })));
        this.#rules = results ? all.filter(({ rule }) => !tested.has(rule.id)) : [];
        this.#details.hidden = this.#rules.length === 0;
        const verb = this.#rules.length === 1 ? "has" : "have";
        const text = `${number(this.#rules.length)} of ${count(all.length, "rule")} ${verb} no test`;
        part(this.#details, "untested-title").textContent = text;
        this.#draw();
    }

    async #draw() {
        const list = part(this.#details, "untested-list");
        if (!this.#details.open || this.#details.hidden) return list.replaceChildren();
        const turn = ++this.#turn;
        const rules = this.#rules.map((each) => ({ ...each, url: this.#sample(each.rule) }));
        const urls = rules.map(({ url }) => url).filter(Boolean);
        const evaluations = await this.#evaluations(urls).catch(() => new Map());
        if (turn !== this.#turn) return;
        const samples = rules.map(({ rule, url }) => sampleOf(rule, evaluations.get(url)));
        list.replaceChildren(...rules.map((each, index) => this.#item(each, samples[index])));
        this.#samples = samples.filter(Boolean);
        part(this.#details, "add-all-place").hidden = this.#samples.length < 2;
        const tests = count(this.#samples.length, "test");
        part(this.#details, "add-all").textContent = `Add ${tests} with these URLs…`;
    }

    #sample(rule) {
        return sampleURL(this.#page.host, this.#page.document.draft, rule);
    }

    async #evaluations(urls) {
        if (!urls.length) return new Map();
        const path = at`/domains/${this.#page.host}/evaluations`;
        const { body } = await this.#page.api.post(path, { urls, source: "draft" });
        return new Map(body.evaluations.map((evaluation, index) => [urls[index], evaluation]));
    }

    #send(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }

    /** `sample` is the evaluation of a URL that the rule decides, or null. */
    #item({ rule, entry }, sample) {
        const pattern = patternText(rule);
        const item = clone("untested-rule", { pattern });
        part(item, "pattern").href = `#rule-${rule.id}`;
        item.dataset.key = rule.id;
        part(item, "sample").textContent = sample ? this.#words(sample) : unknown;
        const url = sample ? shortURL(sample.url, this.#page.host) : "";
        const test = { url, expected: sample ? expectedOf(sample) : wanted(rule, entry) };
        const button = label(item, "add", `Add a test of ${pattern}`);
        button.addEventListener("click", () => this.#send("test-wanted", test));
        return item;
    }

    #words(sample) {
        const { headline } = verdict(sample, (appID) => this.#page.apps.name(appID));
        return `${shortURL(sample.url, this.#page.host)} · ${headline}`;
    }
}

/** What a rule does with a URL that it decides. */
function wanted({ exclude }, { apps }) {
    return exclude ? { outcome: "excluded" } : { outcome: "opens", app: apps[0] };
}

/** The evaluation of a rule's sample, if that rule decides it. */
function sampleOf(rule, evaluation) {
    return evaluation && decision(evaluation)?.rule === rule.id ? evaluation : null;
}
