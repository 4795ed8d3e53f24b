import { afterPause } from "../../../shared/following/later.js";
import { count } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";
import { EvaluationList } from "./evaluation-list.js";
import { Newest } from "../../../shared/following/newest.js";
import { trouble } from "../../../components/checking/trouble.js";
import { indexAtCaret, maximumExplained, typedURLs } from "../../../components/checking/typed-urls.js";
import { verdict } from "../../../components/checking/verdict.js";

/**
 * The URLs and their results. Sends `change` when the user changes the input, and the events of its list of results.
 */
export class URLPanel extends EventTarget {
    #root;
    #api;
    #filePanel;
    #list;
    #asking = new Newest();
    #askLater = afterPause(250, () => this.#ask());

    constructor(root, api, filePanel) {
        super();
        this.#root = root;
        this.#api = api;
        this.#filePanel = filePanel;
        this.#list = new EvaluationList(part(root, "evaluations"));
        this.#list.addEventListener("decision", ({ detail }) => filePanel.decide(detail));
        this.#list.addEventListener("pointer-wanted", ({ detail }) => filePanel.selectPointer(detail));
        for (const name of ["host", "system", "text"]) {
            part(root, name).addEventListener("input", () => this.#changed());
        }
        for (const event of ["keyup", "click"]) {
            part(root, "text").addEventListener(event, () => this.#followCaret());
        }
        filePanel.addEventListener("change", () => this.#askLater());
        window.addEventListener("online", () => this.#ask());
        this.#showHints([]);
    }

    /** The input as typed. */
    get question() {
        const [urls, host, system] = ["text", "host", "system"].map((name) => part(this.#root, name).value);
        return { urls, host, system };
    }

    set question({ urls, host, system }) {
        part(this.#root, "text").value = urls;
        part(this.#root, "text").setSelectionRange(0, 0);
        part(this.#root, "host").value = host;
        const select = part(this.#root, "system");
        select.value = system;
        // A link from another Waymark may name an unknown system.
        if (!select.value) select.selectedIndex = 0;
        this.#changed();
    }

    #changed() {
        this.#askLater();
        this.dispatchEvent(new Event("change"));
    }

    async #ask() {
        const { host, system } = this.question;
        const typed = this.#urls();
        const urls = typed.slice(0, maximumExplained);
        this.#showHints(typed);
        if (urls.length === 0 || !this.#filePanel.canBeChecked) {
            this.#asking.stop();
            this.#showProblem(null);
            return this.#show([]);
        }
        const question = { ...this.#filePanel.file.json, urls, os: system, domain: host.trim() || null };
        const query = { explain: true };
        const ask = (signal) => this.#api.post("/evaluations", question, { query, signal });
        await this.#asking.ask(ask, {
            answered: ({ body }) => {
                this.#showProblem(null);
                this.#show(body.evaluations);
            },
            failed: (error) => this.#failed(error),
        });
    }

    /** Adds the host to a path; ignores empty lines. */
    #urls() {
        const host = hostNamed(part(this.#root, "host").value.trim()) || "www.example.com";
        return typedURLs(part(this.#root, "text").value, host);
    }

    #show(evaluations) {
        part(this.#root, "empty").hidden = evaluations.length > 0;
        part(this.#root, "empty").textContent = this.#filePanel.canBeChecked
            ? "Results appear here as you type."
            : "Results appear here after you add a file.";
        this.#list.show(evaluations);
        this.#followCaret();
    }

    /** Explains the URL at the caret, and reads out its result. */
    #followCaret() {
        const index = indexAtCaret(part(this.#root, "text"));
        this.#list.choose(index);
        const evaluation = this.#list.at(index);
        part(this.#root, "spoken").textContent = evaluation ? `${verdict(evaluation).headline}: ${evaluation.url}` : "";
    }

    #showHints(urls) {
        part(this.#root, "urls-hint").textContent =
            urls.length > maximumExplained
                ? `Only the first ${maximumExplained} of ${count(urls.length, "URL")} are checked.`
                : "You can enter a path alone, such as /buy/42.";
    }

    /** The findings report a file that cannot be read. */
    #failed(error) {
        const isUnreadable = error.code === "invalid_association";
        this.#showProblem(isUnreadable ? null : error);
        this.#show([]);
        if (isUnreadable) part(this.#root, "empty").textContent = "No results: the file cannot be read.";
    }

    /** Shows an error of the host below the host, and any other below the URLs. */
    #showProblem(error) {
        const ofHost = error?.errors?.find(({ pointer }) => pointer === "/domain");
        const field = part(this.#root, "host");
        field.ariaInvalid = String(Boolean(ofHost));
        part(this.#root, "host-problem").hidden = !ofHost;
        part(this.#root, "host-problem").textContent = ofHost ? `This is not a valid host: it ${ofHost.detail}.` : "";
        const sentence = error && !ofHost ? trouble(error) : null;
        part(this.#root, "problem").hidden = !sentence;
        part(this.#root, "problem").textContent = sentence ?? "";
    }
}

/** The host of an entitlement's domain; `www.example.com` for `*.example.com`. */
function hostNamed(domain) {
    return domain.replace(/^applinks:/i, "").replace(/\?.*$/, "").replace(/^\*\./, "www.");
}
