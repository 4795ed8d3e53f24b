import { at } from "../../../shared/api/api.js";
import { offerCurl } from "../../../components/curl.js";
import { count, number } from "../../../shared/words/numbers.js";
import { Newest } from "../../../shared/following/newest.js";
import { part } from "../../../shared/page/template.js";
import { SourceChoice } from "../tester/sources.js";

/**
 * Runs all tests against the draft, the live version or another one. Sends `results` after a run, and `problem`
 * (`detail`: the error).
 */
export class TestRuns extends EventTarget {
    #page;
    #root;
    #choice;
    #running = new Newest();
    /** Whether the user has asked for the next summary. Otherwise it only follows a change, silently. */
    #isAsked = false;
    /** The results by test, of the last run against the chosen source. */
    results = new Map();

    constructor(page, root) {
        super();
        this.#page = page;
        this.#root = root;
        this.#choice = new SourceChoice(part(root, "run-source"), page.versions);
        part(root, "run-source").addEventListener("change", () => this.ask());
        const organization = page.session.organization.slug;
        const request = () => ({ method: "POST", ...this.#request, organization });
        offerCurl("run these tests", request, part(root, "as-curl"));
    }

    get isOfDraft() {
        return this.#choice.value === "draft";
    }

    /** The draft that the results name rules of; null for another source. */
    get draft() {
        return this.isOfDraft ? this.#page.document.draft : null;
    }

    get #request() {
        return { path: at`/domains/${this.#page.host}/test-runs`, body: { source: this.#choice.value } };
    }

    /** Runs the tests for the user, and says the result even if it is the same. */
    ask() {
        this.#isAsked = true;
        return this.run();
    }

    /** A newer run replaces this one. */
    async run() {
        const { path, body } = this.#request;
        await this.#running.ask((signal) => this.#page.api.post(path, body, { signal }), {
            answered: ({ body }) => {
                this.results = new Map(body.results.map((result) => [result.id, result]));
                this.dispatchEvent(new Event("results"));
            },
            failed: (error) => {
                if (!error.isPassing) this.results = new Map();
                this.dispatchEvent(new CustomEvent("problem", { detail: error }));
            },
        });
    }

    /** Says how many of the tests passed. Failures that are not drawn are counted too. */
    showSummary(tests) {
        const ran = tests.map(({ id }) => this.results.get(id)).filter(Boolean);
        const failed = ran.filter(({ passed }) => !passed).length;
        const summary = part(this.#root, "summary");
        const text = ran.length ? this.#summaryText(ran.length, failed) : "";
        summary.ariaLive = this.#isAsked ? "polite" : "off";
        this.#isAsked = false;
        summary.textContent = text;
        summary.dataset.result = failed ? "failed" : "passed";
    }

    #summaryText(ran, failed) {
        const where = this.isOfDraft ? "" : ` on ${this.#sourceWords()}`;
        if (failed === 0) return ran === 1 ? `The test passes${where}.` : `All ${count(ran, "test")} pass${where}.`;
        const blocks = this.isOfDraft ? " Failing tests block publishing." : "";
        return `${number(failed)} of ${count(ran, "test")} ${failed === 1 ? "fails" : "fail"}${where}.${blocks}`;
    }

    #sourceWords() {
        const { value } = this.#choice;
        return value === "live" ? "the live version" : `version ${number(value)}`;
    }
}
