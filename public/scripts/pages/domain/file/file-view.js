import { offerCurl } from "../../../components/curl.js";
import { later } from "../../../components/later.js";
import { copies } from "../../../shared/page/clipboard.js";
import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/press.js";
import { bytes, limitWords } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { fill, part } from "../../../shared/page/template.js";
import { focusNeighbour } from "../../../shared/page/focus.js";
import { isUntouched } from "../../../shared/words/untouched.js";
import { Newest } from "../../../shared/following/newest.js";
import { FileLines } from "./file-lines.js";
import { findingGroups } from "./finding-list.js";

/** The generated file, its size and Apple's limit, and the findings. Sends `findings`. */
export class FileView extends EventTarget {
    #page;
    #root;
    #text = "";
    #draft = null;
    #asking = new Newest();
    #lines;
    /** The form that edits the file, once it is needed. */
    #form = null;
    #verdict = null;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "file");
        this.#lines = new FileLines(part(this.#root, "view"));
        onPress(part(this.#root, "edit-json"), () => this.#edit(), (error) => this.#showProblem(error));
        copies(part(this.#root, "copy"), () => page.document.preview?.file ?? this.#text);
        offerCurl("save this draft", () => savingDraft(page));
        // In the next frame, so that the tester sends its request first.
        page.document.addEventListener("preview", () => requestAnimationFrame(() => this.#show({ follows: true })));
        page.mend = (fix) => this.#mend(fix).catch((error) => this.#showProblem(error));
        page.document.follow(() => this.#follow());
    }

    get lines() {
        return this.#lines;
    }

    get isTypedIn() {
        return this.#form?.isTypedIn ?? false;
    }

    /** The JSON Pointer at the caret, while the file is edited. */
    get caretPointer() {
        return this.#form?.caretPointer ?? null;
    }

    /** Marks the lines of the rule that decides in the tester. */
    showVerdict({ evaluation }) {
        this.#verdict = evaluation;
        this.#lines.decide(evaluation);
        this.#form?.decide(evaluation);
    }

    /** Scrolls to the value of a pointer and moves the focus there. */
    showPlace(pointer) {
        if (!this.#form?.select(pointer)) this.#lines.want(pointer);
    }

    async #follow() {
        const path = at`/domains/${this.#page.host}/draft`;
        const { draft } = this.#page.document;
        const ask = (signal) => {
            return Promise.all(["file", "findings"].map((name) => this.#page.api.get(`${path}/${name}`, { signal })));
        };
        await this.#asking.ask(ask, {
            answered: ([file, report]) => {
                this.#showProblem(null);
                this.#text = file.body;
                this.#draft = draft;
                this.#show();
                this.#showReport(report.body);
                this.#page.preview.startFrom(file.body, draft);
            },
            failed: (error) => this.#showProblem(error),
        });
    }

    /** The file, with unsaved input. */
    #show({ follows = false } = {}) {
        const { preview } = this.#page.document;
        part(this.#root, "previewed").hidden = !preview;
        this.#lines.show(preview?.file ?? this.#text, { follows });
    }

    #showReport({ size, limit, sha256, findings: all }) {
        const isEmpty = isUntouched(this.#draft);
        const findings = isEmpty ? [] : all;
        const meter = part(this.#root, "meter");
        meter.max = limit;
        meter.high = limit * 0.9;
        meter.value = size;
        part(this.#root, "size").textContent = `${bytes(size)} of ${limitWords(limit)}`;
        part(this.#root, "sha256").textContent = `SHA-256 ${sha256.slice(0, 12)}…`;
        part(this.#root, "sha256").title = sha256;
        this.#showFindings(findingGroups(findings, this.#page));
        const nothing = isEmpty ? "Nothing to check yet." : "No problems found.";
        fill(this.#root, { "no-findings": findings.length ? null : nothing });
        this.dispatchEvent(new CustomEvent("findings", { detail: findings }));
    }

    /** The focus stays at its place in the list, or at the next one if a fix has removed its finding. */
    #showFindings(groups) {
        const list = part(this.#root, "findings");
        const { activeElement: focused } = document;
        const index = [...list.children].findIndex((group) => group.contains(focused));
        list.replaceChildren(...groups);
        if (index >= 0) focusNeighbour(groups, index, focused.dataset.part, part(this.#root, "findings-title"));
    }

    /** Opens the file for editing. */
    async #edit() {
        const { JSONForm } = await later(() => import("./json-form.js"), "domain/file-editor");
        this.#form ??= new JSONForm(this.#page, this.#root, () => this.#text);
        this.#form.open();
        this.#form.decide(this.#verdict);
    }

    /** Applies the fix of a finding to the file that was checked. Returns whether it did. */
    async #mend(fix) {
        const { mend } = await later(() => import("./mend.js"));
        return mend(this.#page, { text: this.#text, revision: this.#draft.revision }, fix);
    }

    #showProblem(error) {
        part(this.#root, "problem").hidden = !error;
        part(this.#root, "problem").textContent = error ? words(error) : "";
    }
}

/** The request that saves the draft as it was loaded last. */
function savingDraft({ document, host, session }) {
    const { revision, updatedAt, ...body } = document.draft;
    const path = at`/domains/${host}/draft`;
    return { method: "PUT", path, body, ifMatch: document.etag, organization: session.organization.slug };
}
