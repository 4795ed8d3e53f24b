import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { words } from "../../../shared/api/problem.js";

/** A file from the user: pasted, dropped, chosen, or opened from a link. The editor is loaded when it is first shown. */
export class AnotherFile {
    #page;
    #place;
    #changed;
    #panel = null;
    #given = null;
    #isLoading = false;

    constructor(page, place, changed) {
        this.#page = page;
        this.#place = place;
        this.#changed = changed;
    }

    set isShown(isShown) {
        this.#place.hidden = !isShown;
        if (isShown) this.#load();
    }

    get canBeChecked() {
        return this.#panel?.canBeChecked ?? false;
    }

    /** The fields of the file for a shared link or an API request. Empty if there is no file. */
    get json() {
        return (this.#panel?.file ?? this.#given)?.json ?? {};
    }

    open(file) {
        this.#given = file;
        if (this.#panel) this.#panel.file = file;
    }

    /** Evaluates the URLs of the question as if this domain served the file. */
    evaluate(question, options) {
        return this.#page.api.post("/evaluations", { ...question, ...this.json, domain: this.#page.host }, options);
    }

    /** Why the evaluation failed. */
    trouble(problem) {
        return this.#panel.trouble(problem);
    }

    /** Marks the rule that decided the result. Removes the mark if no rule did. */
    decide(decided) {
        this.#panel?.decide(decided?.decidedBy ? { pointer: decided.decidedBy, outcome: decided.outcome } : null);
    }

    selectPointer(pointer) {
        this.#panel?.selectPointer(pointer);
    }

    async #load() {
        if (this.#panel || this.#isLoading) return;
        this.#isLoading = true;
        try {
            const load = () => import("../../../components/file-editor/file-panel.js");
            const { FilePanel } = await later(load, "domain/file-editor");
            this.#panel = new FilePanel(this.#place, this.#page.api);
            if (this.#given) this.#panel.file = this.#given;
            this.#panel.addEventListener("change", this.#changed);
            this.#changed();
        } catch (error) {
            announce(words(error));
        }
        this.#isLoading = false;
    }
}
