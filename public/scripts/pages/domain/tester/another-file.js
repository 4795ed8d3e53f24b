import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { words } from "../../../shared/api/problem.js";

/** A file other than the draft and the versions: pasted, dropped or chosen. Its editor is loaded at its first use. */
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

    /** The file as in a link. */
    get json() {
        return (this.#panel?.file ?? this.#given)?.json ?? {};
    }

    open(file) {
        this.#given = file;
        if (this.#panel) this.#panel.file = file;
    }

    /** Evaluates the URLs as on this domain. */
    evaluate(question, options) {
        return this.#page.api.post("/evaluations", { ...question, ...this.json, domain: this.#page.host }, options);
    }

    /** Marks the rule of a deciding app, or none. */
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
