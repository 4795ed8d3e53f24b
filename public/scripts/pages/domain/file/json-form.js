import { CodeEditor } from "../../../components/file-editor/code-editor.js";
import { laidOut } from "../../../components/file-editor/laid-out.js";
import { mayClose } from "../../../components/dialogs.js";
import { AssociationFile } from "../../../shared/files/association-file.js";
import { afterPause } from "../../../shared/following/later.js";
import { Newest } from "../../../shared/following/newest.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { markTyping } from "../../../shared/forms/typed-work.js";
import { Problem, words } from "../../../shared/api/problem.js";
import { clone, part } from "../../../shared/page/template.js";
import { applyOrAsk } from "../draft/conflict.js";
import { importFile } from "../draft/edits.js";
import { announceStep } from "../draft/history.js";
import { later } from "../../../components/later.js";
import { decision } from "../../../components/checking/verdict.js";
import { viewOfFile } from "./file-draft.js";

/**
 * Edits the generated file as JSON. Errors appear at their lines, and the tester follows, while the user types. Saving
 * imports the text into the draft, as one step that can be undone.
 */
export class JSONForm {
    #page;
    #root;
    #form;
    #text;
    #editor;
    #opened = null;
    #checks = new Newest();
    #checkLater = afterPause(150, () => this.#check());

    /** `text` returns the generated file. */
    constructor(page, root, text) {
        this.#page = page;
        this.#root = root;
        this.#text = text;
        this.#form = clone("json-form");
        part(root, "view").after(this.#form);
        this.#editor = new CodeEditor(part(this.#form, "editor"));
        this.#editor.addEventListener("edit", () => this.#edited());
        this.#form.addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || event.isComposing) return;
            // Otherwise this key would also close the dialog that asks.
            event.preventDefault();
            this.#cancel();
        });
        part(this.#form, "cancel-json").addEventListener("click", () => this.#cancel());
        onSubmit(this.#form, () => this.#save());
    }

    get isOpen() {
        return this.#opened !== null;
    }

    get isTypedIn() {
        return this.isOpen && this.#editor.text !== this.#opened.text;
    }

    /** The JSON Pointer at the caret. */
    get caretPointer() {
        return this.isOpen ? this.#editor.caretPointer : null;
    }

    decide(evaluation) {
        const pointer = evaluation && decision(evaluation)?.decidedBy;
        this.#editor.decide(pointer ? { pointer, outcome: evaluation.outcome } : null);
    }

    /** Selects the value of a pointer. Returns whether the form is open. */
    select(pointer) {
        if (this.isOpen) this.#editor.selectPointer(pointer);
        return this.isOpen;
    }

    open() {
        const text = laidOut(this.#text()) ?? this.#text();
        this.#opened = { text, revision: this.#page.document.revision };
        this.#editor.text = text;
        this.#show();
        part(this.#form, "text").setSelectionRange(0, 0);
        // The editor needs the whole height of the column.
        this.#root.scrollIntoView({ block: "start" });
        part(this.#form, "text").focus({ preventScroll: true });
        this.#check();
    }

    #close() {
        this.#opened = null;
        markTyping(this.#form, false);
        this.#checks.stop();
        this.#page.preview.showInstead(null);
        this.#show();
        part(this.#root, "edit-json").focus();
    }

    #show() {
        this.#form.hidden = !this.isOpen;
        for (const name of ["view", "edit-json"]) part(this.#root, name).hidden = this.isOpen;
    }

    async #cancel() {
        if (await mayClose(this.#form, this.isTypedIn)) this.#close();
    }

    #edited() {
        this.#checkLater();
        const view = viewOfFile(this.#editor.text, this.#page.document.draft);
        if (view) this.#page.preview.showInstead({ view, file: this.#editor.text });
    }

    async #check() {
        const { bytes } = AssociationFile.of(this.#editor.text);
        await this.#checks.ask((signal) => this.#page.api.post("/lint", undefined, { bytes, signal }), {
            answered: ({ body }) => this.#mark(body.findings),
            failed: (error) => this.#say(words(error)),
        });
    }

    #mark(findings) {
        this.#editor.mark(findings);
        const errors = findings.filter(({ severity }) => severity === "error");
        const [first] = errors;
        const place = first?.line ? `Line ${first.line}: ` : "";
        const more = errors.length > 1 ? ` (${errors.length} errors in all)` : "";
        this.#say(first ? `${place}${first.message} ${first.remedy}${more}` : "No errors.");
    }

    #say(text) {
        part(this.#form, "json-trouble").textContent = text;
    }

    async #save() {
        const { bytes } = AssociationFile.of(this.#editor.text);
        let report;
        const edit = async (draftDocument) => {
            this.#requireUnchanged(draftDocument);
            const answer = await importFile(bytes)(draftDocument);
            ({ report } = answer.body);
            return answer;
        };
        try {
            if (!(await applyOrAsk(this.#page.document, edit, this.#form))) return;
        } catch (problem) {
            if (problem.rest?.line) this.#editor.selectFinding(problem.rest);
            throw problem;
        }
        this.#close();
        if (report.items.some(({ action }) => action !== "kept")) return this.#showReport(report);
        announceStep(this.#page, "File saved to the draft.");
    }

    async #showReport(report) {
        try {
            const { openReport } = await later(() => import("../draft/import-dialog.js"), "domain/import");
            openReport(this.#page, report);
        } catch (problem) {
            announceStep(this.#page, `File saved to the draft, but its report cannot be shown: ${words(problem)}`);
        }
    }

    /** The text is that of the draft at its opening: saving would take back every later change. */
    #requireUnchanged({ revision }) {
        if (revision === this.#opened.revision) return;
        this.#opened.revision = revision;
        throw new Problem({ status: 412 });
    }
}
