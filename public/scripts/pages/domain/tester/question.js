import { at } from "../../../shared/api/api.js";
import { indexAtCaret, maximumChecked, typedURLs } from "../../../components/checking/typed-urls.js";
import { part } from "../../../shared/page/template.js";
import { systems } from "../../../shared/words/test-words.js";
import { AnotherFile } from "./another-file.js";
import { evaluateDraft } from "../draft/evaluate-draft.js";
import { SourceChoice } from "./sources.js";

/** In characters: a tab keeps about five million, for all domains together. */
const maximumKept = 200_000;

/**
 * What the user asks the tester: the URLs, what to check them against, and the system. Sends `change`, and `caret` when
 * the caret has moved to another place.
 */
export class Question extends EventTarget {
    #page;
    #input;
    #source;
    #system;
    file;

    constructor(page, root) {
        super();
        this.#page = page;
        this.#input = part(root, "urls");
        this.#system = part(root, "system");
        this.#system.append(...Object.entries(systems).reverse().map(([value, name]) => new Option(name, value)));
        this.#source = new SourceChoice(part(root, "source"), page.versions, { withFile: true });
        this.file = new AnotherFile(page, part(root, "file-place"), () => this.#changed());
        this.#keepTyped(`tester:${page.host}`);
        this.#input.addEventListener("input", () => this.#changed());
        for (const select of [part(root, "source"), this.#system]) {
            select.addEventListener("change", () => this.#changed());
        }
        for (const event of ["keyup", "click"]) {
            this.#input.addEventListener(event, () => this.dispatchEvent(new Event("caret")));
        }
    }

    get urls() {
        return typedURLs(this.#input.value, this.#page.host);
    }

    /** The index of the URL at the caret. */
    get caret() {
        return indexAtCaret(this.#input);
    }

    get system() {
        return this.#system.value;
    }

    set system(system) {
        this.#system.value = system in systems ? system : "ios14";
    }

    /** `draft`, `live`, `file`, or the number of a version. */
    get source() {
        return this.#source.value;
    }

    set text(text) {
        this.#input.value = text;
        this.#input.setSelectionRange(0, 0);
        this.#changed();
    }

    /** The input as JSON, for a link. */
    get state() {
        const file = this.source === "file" ? this.file.json : {};
        return { urls: this.#input.value, source: String(this.source), system: this.system, ...file };
    }

    /** Checks the JSON of a link. Throws if it is invalid. */
    async read(json) {
        const { AssociationFile } = await import("../../../shared/files/association-file.js");
        const { texts } = await import("../../../components/checking/share-link.js");
        const file = json.source === "file" ? AssociationFile.fromJSON(json) : null;
        return { ...texts(json, "urls", "source", "system"), file };
    }

    restore({ urls, source, system, file }) {
        this.#source.value = source;
        this.system = system;
        if (file) this.file.open(file);
        this.text = urls;
    }

    /** The request that evaluates the URLs, for a terminal: of the saved draft, without unsaved input. */
    get request() {
        const { host, session } = this.#page;
        const question = { urls: this.urls.slice(0, maximumChecked), os: this.system };
        if (this.source === "file") {
            return { method: "POST", path: "/evaluations", body: { ...question, ...this.file.json, domain: host }, token: false };
        }
        const body = { ...question, source: this.source };
        const organization = session.organization.slug;
        return { method: "POST", path: at`/domains/${host}/evaluations`, body, organization };
    }

    /** Evaluates URLs, and explains them if they are few enough for that. */
    evaluate(urls, source, { explain, signal }) {
        const question = { urls, os: this.system };
        const options = { signal, query: explain ? { explain } : {} };
        if (source === "file") return this.file.evaluate(question, options);
        if (source === "draft") return evaluateDraft(this.#page, question, options);
        return this.#page.api.post(at`/domains/${this.#page.host}/evaluations`, { ...question, source }, options);
    }

    /** Keeps what the user types in the tab, so that a way to another page and back loses nothing. */
    #keepTyped(key) {
        this.#input.value = sessionStorage.getItem(key) ?? "";
        this.#input.addEventListener("input", () => {
            if (this.#input.value.length <= maximumKept) sessionStorage.setItem(key, this.#input.value);
        });
    }

    #changed() {
        this.file.isShown = this.source === "file";
        this.dispatchEvent(new Event("change"));
    }
}
