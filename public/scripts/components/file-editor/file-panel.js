import { announce } from "../announce.js";
import { copies } from "../../shared/page/clipboard.js";
import { takesDroppedFile } from "../file-drop.js";
import { afterPause } from "../../shared/following/later.js";
import { bytes, limitWords } from "../../shared/words/numbers.js";
import { fixedWords } from "../../shared/words/fixed-words.js";
import { clone, part } from "../../shared/page/template.js";
import { AssociationFile, appleLimit, maximumBytes } from "../../shared/files/association-file.js";
import { CodeEditor } from "./code-editor.js";
import { findingItems, findingSummary } from "./finding-list.js";
import { laidOut } from "./laid-out.js";
import { Newest } from "../../shared/following/newest.js";
import { trouble } from "../checking/trouble.js";

const impression = "This file is not valid UTF-8. The text shown is an approximation.";

/**
 * The file, its text and its findings. Sends `change` when the file has changed. The page includes
 * `includes/file-editor.html`, `file-editor.css`, `file.css` and `findings.css`.
 */
export class FilePanel extends EventTarget {
    #root;
    #api;
    #editor;
    #file = AssociationFile.of("");
    #checks = new Newest();
    #checkLater = afterPause(250, () => this.#check());

    constructor(place, api) {
        super();
        const root = clone("file-editor");
        place.replaceChildren(root);
        this.#root = root;
        this.#api = api;
        this.#editor = new CodeEditor(part(root, "editor"));
        this.#editor.addEventListener("edit", () => this.#take(AssociationFile.of(this.#editor.text)));
        this.#editor.addEventListener("mark", ({ detail }) => part(root, "findings").children[detail]?.focus());
        copies(part(root, "copy"), () => this.#editor.text);
        part(root, "lay-out").addEventListener("click", () => this.#layOut());
        takesDroppedFile(part(root, "editor"), part(root, "choose"), (buffer) => this.#open(new Uint8Array(buffer)), {
            maximum: maximumBytes,
            tooLarge: (size) => this.#refuse(size),
        });
        window.addEventListener("online", () => this.#check());
        this.#showSize();
        this.#showFindings([]);
    }

    get file() {
        return this.#file;
    }

    set file(file) {
        this.#editor.text = file.text;
        this.#take(file);
    }

    /** Whether the file is neither empty nor too large to check. */
    get canBeChecked() {
        return this.#file.bytes.length > 0 && this.#file.bytes.length <= maximumBytes;
    }

    /** Shows another file, and offers to undo that. */
    replace(file, sentence) {
        const before = this.#file;
        this.file = file;
        if (before.bytes.length) announce(sentence, { undo: () => (this.file = before) });
    }

    /** Marks the rule that decides: `{ pointer, outcome }`, or null. */
    decide(decision) {
        this.#editor.decide(decision);
    }

    selectPointer(pointer) {
        this.#editor.selectPointer(pointer);
    }

    lineOf(pointer) {
        return this.#editor.lineOf(pointer);
    }

    #open(opened) {
        const file = new AssociationFile(opened);
        this.replace(file, "File opened.");
        part(this.#root, "text").focus();
    }

    #refuse(size) {
        const limits = `The limit here is ${bytes(maximumBytes)}; Apple’s limit is ${limitWords(appleLimit)}.`;
        this.#showProblem(`The file is too large: ${bytes(size)}. ${limits}`);
    }

    /** Applies a fix to the bytes that were checked. If they have changed, the next check offers it again. */
    #mend(fix, checked) {
        if (this.#file === checked) this.replace(checked.edited(fix.edits), fixedWords(fix));
    }

    #layOut() {
        const text = laidOut(this.#editor.text);
        if (text === null) return announce("Only valid JSON can be formatted. See the findings for the error.");
        this.replace(AssociationFile.of(text), "File formatted.");
    }

    #take(file) {
        this.#file = file;
        this.#showSize();
        if (this.canBeChecked) this.#checkLater();
        else this.#check();
        this.dispatchEvent(new Event("change"));
    }

    async #check() {
        const size = this.#file.bytes.length;
        if (!this.canBeChecked) {
            this.#checks.stop();
            this.#showFindings([]);
            return size ? this.#refuse(size) : this.#showProblem(null);
        }
        const checked = this.#file;
        await this.#checks.ask((signal) => this.#api.post("/lint", undefined, { bytes: this.#file.bytes, signal }), {
            answered: ({ body }) => {
                this.#showProblem(this.#file.isText ? null : impression);
                this.#showFindings(body.findings, checked);
            },
            failed: (error) => this.#showProblem(trouble(error)),
        });
    }

    /** Why URLs could not be evaluated by the file. */
    trouble(problem) {
        return problem.is("invalid_association") ? "The file cannot be read. See its findings." : trouble(problem);
    }

    #showFindings(findings, checked) {
        this.#editor.mark(findings);
        const items = findingItems(findings, {
            show: (finding) => this.#editor.selectFinding(finding),
            mend: (fix) => this.#mend(fix, checked),
        });
        part(this.#root, "findings").replaceChildren(...items);
        part(this.#root, "summary").textContent = this.canBeChecked
            ? findingSummary(findings)
            : "They appear here as you type.";
    }

    #showSize() {
        const size = this.#file.bytes.length;
        const meter = part(this.#root, "meter");
        meter.max = appleLimit;
        meter.high = appleLimit * 0.9;
        meter.value = size;
        const beyond = size > appleLimit ? " Over Apple’s limit." : "";
        part(this.#root, "size").textContent = `${bytes(size)} of ${limitWords(appleLimit)}.${beyond}`;
    }

    #showProblem(sentence) {
        part(this.#root, "problem").hidden = !sentence;
        part(this.#root, "problem").textContent = sentence ?? "";
    }
}
