import { FilePanel } from "../../../components/file-editor/file-panel.js";

/** A file other than the draft and the versions: pasted, dropped or chosen. Its editor is made at its first use. */
export class AnotherFile {
    #page;
    #place;
    #changed;
    #panel = null;

    constructor(page, place, changed) {
        this.#page = page;
        this.#place = place;
        this.#changed = changed;
    }

    set isShown(isShown) {
        this.#place.hidden = !isShown;
        if (isShown) this.#open();
    }

    get canBeChecked() {
        return this.#open().canBeChecked;
    }

    /** The file as in a link. */
    get json() {
        return this.#open().file.json;
    }

    open(file) {
        this.#open().file = file;
    }

    /** Evaluates the URLs as on this domain. */
    evaluate(question, options) {
        const { json } = this.#open().file;
        return this.#page.api.post("/evaluations", { ...question, ...json, domain: this.#page.host }, options);
    }

    /** Marks the rule of a deciding app, or none. */
    decide(decided) {
        this.#open().decide(decided?.decidedBy ? { pointer: decided.decidedBy, outcome: decided.outcome } : null);
    }

    selectPointer(pointer) {
        this.#open().selectPointer(pointer);
    }

    #open() {
        if (!this.#panel) {
            this.#panel = new FilePanel(this.#place, this.#page.api);
            this.#panel.addEventListener("change", this.#changed);
        }
        return this.#panel;
    }
}
