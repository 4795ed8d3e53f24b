import { isTypedIn } from "../../../../shared/forms/typed-work.js";
import { part } from "../../../../shared/page/template.js";
import { applyOrAsk } from "../../draft/conflict.js";
import { addEntry, setApps } from "../../draft/edits.js";
import { openEntryForm } from "./entry-form.js";
import { openRuleForm } from "./rule-form.js";

/**
 * Opens the forms of rules and of apps, each once. `isHere` is false if the user has moved the focus since asking for the
 * form. `draw` draws the list with the open forms, `closed` moves the focus.
 */
export class RuleOpener {
    #isHere;
    #page;
    #forms;
    #draw;
    #closed;

    constructor(isHere, page, forms, { draw, closed }) {
        this.#isHere = isHere;
        this.#page = page;
        this.#forms = forms;
        this.#draw = draw;
        this.#closed = closed;
    }

    /** Opens the form of a new rule, with some of its fields filled in. The service places it. */
    add(fields = {}, entryID = this.#page.document.draft.entries[0]?.id) {
        if (!entryID) return this.apps(null);
        this.#rule(`new-${entryID}`, { fields, anchor: { entry: entryID, isPlaced: false } });
    }

    /** Opens the form of a new rule above (0) or below (1) a rule. */
    insert(id, offset, fields = {}) {
        const { entry, position } = this.#page.document.find(id);
        const anchor = { entry: entry.id, isPlaced: true, next: entry.rules[position + offset]?.id };
        this.#rule(`new-${id}-${offset}`, { fields, anchor });
    }

    /** Opens the form of a new rule made from a URL. Replaces an open form unless the user has typed in it. */
    addFor({ fields, ...made }) {
        const entryID = this.#page.document.draft.entries[0].id;
        const open = this.#forms.get(`new-${entryID}`);
        if (open && !isTypedIn(open)) part(open, "cancel").click();
        this.#rule(`new-${entryID}`, { fields, anchor: { entry: entryID, isPlaced: false }, made });
    }

    edit(id) {
        const { rule } = this.#page.document.find(id);
        this.#rule(id, { rule, fields: rule });
    }

    /**
     * Opens the form with the apps of an entry; `null` means a new one. A saved new entry opens nothing, so the form of its
     * first rule follows.
     */
    apps(entry) {
        const { document: draftDocument } = this.#page;
        const edit = (apps) => (entry ? setApps(entry.id, apps) : addEntry(apps));
        let isAdded = false;
        const save = async (apps, place) => {
            isAdded = (await applyOrAsk(draftDocument, edit(apps), place)) && !entry;
        };
        this.#open(entry ? `apps-${entry.id}` : "new-entry", (closeForm) => {
            const close = () => {
                closeForm();
                if (isAdded) this.add({}, draftDocument.draft.entries.at(-1).id);
            };
            return { form: openEntryForm(this.#page, { apps: entry?.apps ?? [], save, close }) };
        });
    }

    #rule(key, options) {
        this.#open(key, (close) => ({
            ...openRuleForm(this.#page, { key, ...options, close }),
            anchor: options.anchor,
        }));
    }

    /** Opens one form per key; opening it again moves the focus to the open one, unless the user has gone elsewhere. */
    #open(key, make) {
        if (!this.#forms.has(key)) {
            this.#forms.add(key, make((saved) => this.#close(key, saved)));
            this.#draw();
        }
        if (!this.#isHere) return;
        const form = this.#forms.get(key);
        form.scrollIntoView({ block: "nearest" });
        const first = form.querySelector("[data-first]");
        first.focus();
        first.select();
    }

    #close(key, saved) {
        this.#forms.delete(key);
        this.#draw();
        this.#closed(key, saved);
    }
}
