import { explanation } from "../../../components/explanation.js";
import { afterPause } from "../../../shared/following/later.js";
import { words } from "../../../shared/api/problem.js";
import { clone, part } from "../../../shared/page/template.js";
import { Newest } from "../../../shared/following/newest.js";
import { ruleOfURL } from "../rules/rule-of-url.js";
import { evaluateDraft } from "../draft/evaluate-draft.js";
import { sampleURLs } from "./samples.js";
import { explain, outcomeWords, uncertainty } from "./verdict-words.js";

/**
 * Which app opens this URL? The API evaluates it after every pause in typing, so the result is the same as in the
 * checks and on the command line. Sends `verdict`, `rule-wanted` and `test-wanted` to make a rule or a test from the
 * URL, and `pointer-wanted` to show a rule in the file.
 */
export class Tester extends EventTarget {
    #page;
    #root;
    #input;
    #evaluation = null;
    #keepsTests = false;
    #asking = new Newest();

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "tester");
        this.#input = part(this.#root, "url");
        const askLater = afterPause(120, () => this.#ask());
        this.#input.addEventListener("input", askLater);
        part(this.#root, "form").addEventListener("submit", (event) => (event.preventDefault(), this.#ask()));
        part(this.#root, "source").addEventListener("change", () => this.#ask());
        part(this.#root, "make-rule").addEventListener("click", () => this.#wantRule());
        part(this.#root, "save-test").addEventListener("click", () => this.#wantTest());
        part(this.#root, "explained").addEventListener("toggle", () => this.#showExplanation());
        part(this.#root, "explanation").addEventListener("pointer-wanted", ({ detail }) => {
            this.dispatchEvent(new CustomEvent("pointer-wanted", { detail }));
        });
        page.document.addEventListener("change", () => this.#follow());
        page.document.addEventListener("preview", () => this.#ask());
    }

    /** Fills in a URL and evaluates it. */
    tryURL(url) {
        this.#input.value = url;
        this.#ask();
        this.#root.scrollIntoView({ block: "nearest" });
    }

    /** Whether results can be saved as tests. */
    set keepsTests(isOffered) {
        this.#keepsTests = isOffered;
        this.#ask();
    }

    #follow() {
        const samples = sampleURLs(this.#page.host, this.#page.document.draft);
        if (!this.#input.value) this.#input.value = samples[0] ?? `https://${this.#page.host}/`;
        this.#offerSamples(samples);
        this.#ask();
    }

    #offerSamples(urls) {
        part(this.#root, "samples").hidden = urls.length === 0;
        part(this.#root, "sample-list").replaceChildren(...urls.map((url) => this.#sample(url)));
    }

    #sample(url) {
        const item = clone("sample", { sample: url.replace(`https://${this.#page.host}`, "") || "/" });
        part(item, "sample").addEventListener("click", () => {
            this.#input.value = url;
            this.#ask();
        });
        return item;
    }

    /** Adds the host to a path. */
    #url() {
        const typed = this.#input.value.trim();
        return typed.startsWith("/") ? `https://${this.#page.host}${typed}` : typed;
    }

    async #ask() {
        this.#asking.stop();
        const url = this.#url();
        if (!url) return this.#show(null);
        const source = part(this.#root, "source").value;
        const path = `/domains/${encodeURIComponent(this.#page.host)}/evaluations`;
        const query = { explain: true };
        const ask = (signal) => {
            if (source === "draft") return evaluateDraft(this.#page, { urls: [url] }, { signal, query });
            return this.#page.api.post(path, { urls: [url], source }, { signal, query });
        };
        await this.#asking.ask(ask, {
            answered: ({ body }) => this.#show(body.evaluations[0], source),
            failed: (error) => this.#showProblem(error),
        });
    }

    #show(evaluation, source = "draft") {
        this.#evaluation = evaluation;
        const verdict = part(this.#root, "verdict");
        verdict.dataset.outcome = evaluation ? (evaluation.reason ? "ineligible" : evaluation.outcome) : "waiting";
        const { headline, why } = explain(evaluation, { document: this.#page.document.shown, apps: this.#page.apps, source });
        part(verdict, "headline").textContent = headline;
        part(verdict, "why").textContent = why;
        part(verdict, "verdict-uncertainty").textContent = uncertainty(evaluation) ?? "";
        part(verdict, "verdict-uncertainty").hidden = !uncertainty(evaluation);
        part(this.#root, "explained").hidden = !evaluation?.trace || Boolean(evaluation.reason);
        part(this.#root, "explanation").dataset.source = source;
        this.#showExplanation();
        this.#showApps(evaluation?.apps ?? [], evaluation?.app);
        part(this.#root, "make-rule").hidden = source !== "draft" || !this.#couldBeRule(evaluation);
        part(this.#root, "save-test").hidden = !this.#keepsTests || !evaluation || Boolean(evaluation.reason);
        const detail = { evaluation: source === "draft" ? evaluation : null };
        this.dispatchEvent(new CustomEvent("verdict", { detail }));
    }

    /** Made only when it is opened: an explanation lists every tried rule. */
    #showExplanation() {
        const { open, hidden } = part(this.#root, "explained");
        const explained = open && !hidden ? explanation(this.#evaluation) : null;
        part(this.#root, "explanation").replaceChildren(...(explained ? [explained] : []));
    }

    #couldBeRule(evaluation) {
        const hasEntry = this.#page.document.draft.entries.length > 0;
        return hasEntry && evaluation?.outcome === "none" && !evaluation.reason;
    }

    /** Hidden for one app: the headline says it already. */
    #showApps(verdicts, winner) {
        const { apps } = this.#page;
        const list = part(this.#root, "apps");
        list.hidden = verdicts.length < 2;
        list.replaceChildren(
            ...verdicts.map((verdict) => {
                const { app, outcome } = verdict;
                const texts = { name: apps.name(app), outcome: outcomeWords(verdict, winner, apps.name(winner)) };
                const item = clone("tester-app", texts);
                item.dataset.outcome = outcome;
                item.title = app;
                return item;
            }),
        );
    }

    #showProblem(problem) {
        for (const name of ["make-rule", "save-test", "explained", "verdict-uncertainty"]) part(this.#root, name).hidden = true;
        const verdict = part(this.#root, "verdict");
        verdict.dataset.outcome = "ineligible";
        const isUnpublished = problem.code === "nothing_live";
        part(verdict, "headline").textContent = isUnpublished ? "Nothing is live yet" : "No result";
        part(verdict, "why").textContent = isUnpublished ? "Publish first, or check against the draft." : words(problem);
        this.#showApps([]);
        this.dispatchEvent(new CustomEvent("verdict", { detail: { evaluation: null } }));
    }

    /** The current result becomes the expected result. */
    #wantTest() {
        const { outcome, app } = this.#evaluation;
        const expected = { outcome, ...(outcome === "opens" && { app }) };
        this.dispatchEvent(new CustomEvent("test-wanted", { detail: { url: this.#url(), expected } }));
    }

    #wantRule() {
        const url = this.#url();
        this.dispatchEvent(new CustomEvent("rule-wanted", { detail: { url, ...ruleOfURL(url) } }));
    }
}
