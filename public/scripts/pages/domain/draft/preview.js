import { entriesOfDetails } from "../../../shared/words/places.js";
import { DraftView } from "./draft-view.js";
import { same } from "./same.js";

/**
 * Previews the draft with unsaved input: sets the document's `preview` while there is input, and while the part "Rules"
 * shows it. The file is the generated one with the rules of the open forms, so that it follows every key without a
 * request.
 */
export class Preview {
    #document;
    #base = null;
    #changes;
    #other = null;

    /** `changes` returns functions that apply unsaved input to a draft. */
    constructor(draftDocument, changes) {
        this.#document = draftDocument;
        this.#changes = changes;
    }

    /** The generated file of a draft: what the preview starts from. */
    startFrom(text, draft) {
        this.#base = { text, draft };
        this.follow();
    }

    /** Shows another file instead: `{ view, file }`, or null to show the rules again. */
    showInstead(preview) {
        this.#other = preview;
        this.follow();
    }

    follow() {
        if (this.#document.page.main.dataset.current !== "rules") return (this.#document.preview = null);
        if (this.#other) return (this.#document.preview = this.#other);
        const base = this.#base?.draft === this.#document.draft ? this.#base : null;
        const draft = base && structuredClone(base.draft);
        for (const change of draft ? this.#changes() : []) change(draft);
        const isTyped = draft && !same(draft, base.draft);
        this.#document.preview = isTyped ? { view: new DraftView(draft), file: fileOf(draft, base) } : null;
    }
}

function fileOf(draft, base) {
    const file = JSON.parse(base.text);
    const before = entriesOfDetails(base.draft);
    (file.applinks?.details ?? []).forEach((element, index) => {
        const { id, rules } = before[index] ?? {};
        const now = draft.entries.find((entry) => entry.id === id)?.rules ?? null;
        if (!same(rules, now)) element.components = now.map((rule) => component(rule, draft.publishComments));
    });
    return JSON.stringify(file);
}

/** A rule in the file, with its keys in the order of the generator. */
function component(rule, withComment) {
    const { path, query, fragment, exclude, caseSensitive, percentEncoded, comment, extras } = rule;
    const named = { ...extras, "/": path, "?": query, "#": fragment, exclude, caseSensitive, percentEncoded };
    if (withComment) named.comment = comment;
    return Object.fromEntries(Object.entries(named).filter(([, value]) => (value ?? null) !== null));
}
