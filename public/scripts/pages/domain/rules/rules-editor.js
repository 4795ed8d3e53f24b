import { focusNeighbour, keepingFocus } from "../../../shared/page/focus.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { applyOrAsk } from "../draft/conflict.js";
import { addEntry, moveRule, setApps } from "../draft/edits.js";
import { EntryCard } from "./entry-card.js";
import { openEntryForm } from "./entry-form.js";
import { entriesOfDetails } from "../../../shared/words/places.js";
import { openRuleForm } from "./rule-form.js";
import { makeSortable } from "./rule-drag.js";
import { RuleRow } from "./rule-row.js";

/**
 * The entries of the draft and their rules, drawn again with every change. Open forms are kept: each has a key (a
 * rule's ID, or `new-` or `apps-` and an entry's ID) and is put back at its rule or entry.
 */
export class RulesEditor {
    #page;
    #root;
    #rows = new Map();
    #forms = new Map();
    #verdict = null;
    #findings = [];

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "rules");
        part(this.#root, "add-entry").addEventListener("click", () => this.editApps(null));
        page.document.addEventListener("change", () => this.#draw());
        window.addEventListener("beforeunload", (event) => this.isTypedIn && event.preventDefault());
        makeSortable(part(this.#root, "entries"), (id, target) => this.apply(moveRule(id, target)));
    }

    /** Runs an edit of the list. Shows its problem above the list. */
    async apply(edit) {
        const problem = part(this.#root, "problem");
        problem.hidden = true;
        try {
            return await applyOrAsk(this.#page.document, edit, this.#root);
        } catch (error) {
            problem.textContent = words(error);
            problem.hidden = false;
            return false;
        }
    }

    /** Opens the form of a new rule, with some of its fields filled in. */
    addRule(fields = {}, entryID = this.#page.document.draft.entries[0]?.id) {
        if (!entryID) return this.editApps(null);
        this.#open(`new-${entryID}`, (close) => openRuleForm(this.#page, { fields, entryID, close }));
    }

    /** Opens the form of a new rule made from a URL. Replaces an open form unless the user has typed in it. */
    addRuleFor({ fields, ...made }) {
        const entryID = this.#page.document.draft.entries[0].id;
        const open = this.#forms.get(`new-${entryID}`);
        if (open && !open.dataset.typedIn) part(open, "cancel").click();
        this.#open(`new-${entryID}`, (close) => openRuleForm(this.#page, { fields, entryID, made, close }));
    }

    editRule(id) {
        const { rule, entry } = this.place(id);
        this.#open(id, (close) => openRuleForm(this.#page, { rule, fields: rule, entryID: entry.id, close }));
    }

    /** Opens the form with the apps of an entry; `null` means a new one. */
    editApps(entry) {
        const edit = (apps) => (entry ? setApps(entry.id, apps) : addEntry(apps));
        const save = (apps, place) => applyOrAsk(this.#page.document, edit(apps), place);
        this.#open(entry ? `apps-${entry.id}` : "new-entry", (close) =>
            openEntryForm(this.#page, { apps: entry?.apps ?? [], save, close }),
        );
    }

    /** Whether leaving the page would lose input. The browser then asks. */
    get isTypedIn() {
        return [...this.#forms.values()].some((form) => form.dataset.typedIn);
    }

    /** Whether a rule is being dragged: the list must not be drawn under the pointer. */
    get isDragging() {
        return this.#root.querySelector(".is-dragged") !== null;
    }

    /** A rule's place in the draft. */
    place(id) {
        return this.#page.document.find(id);
    }

    /** Moves the focus to the rule at a position of an entry, or to its neighbour if it was deleted. */
    focusRule(entryID, position) {
        const card = this.#root.querySelector(`.entry[data-key="${CSS.escape(entryID)}"]`);
        if (!card) return this.focusEntry(0);
        const title = part(this.#root, "rules-title");
        focusNeighbour(part(card, "list").children, position, "edit", part(card, "add-rule"), title);
    }

    focusEntry(index) {
        const cards = this.#root.querySelectorAll(".entry");
        focusNeighbour(cards, index, "edit-apps", part(this.#root, "add-entry"), part(this.#root, "rules-title"));
    }

    showVerdict(verdict) {
        this.#verdict = verdict;
        for (const row of this.#rows.values()) row.showVerdict(verdict, this.#page.apps);
    }

    showFindings(findings) {
        this.#findings = findings;
        const { draft } = this.#page.document;
        const details = entriesOfDetails(draft);
        for (const entry of draft.entries) this.#showFindingsOf(entry, details.indexOf(entry));
    }

    #draw() {
        const { draft } = this.#page.document;
        part(this.#root, "problem").hidden = true;
        keepingFocus(this.#root, () => {
            this.#rows.clear();
            const cards = draft.entries.map((entry, index) => this.#card(entry, index).element);
            part(this.#root, "entries").replaceChildren(...cards);
            part(this.#root, "entries").append(...this.#formsWithoutPlace());
        });
        const isEmpty = draft.entries.length === 0;
        part(this.#root, "empty").hidden = !isEmpty || this.#forms.has("new-entry");
        part(this.#root, "add-entry-words").textContent = isEmpty ? "Add an app" : "Add an entry for other apps";
        part(this.#root, "revision").textContent = `Revision ${draft.revision}`;
        this.showFindings(this.#findings);
        if (this.#verdict) this.showVerdict(this.#verdict);
    }

    #card(entry, index) {
        const total = this.#page.document.draft.entries.length;
        const card = new EntryCard(entry, { index, total, apps: this.#page.apps, editor: this });
        card.showRules((entry.rules ?? []).map((rule, position) => this.#row(rule, position, entry.rules.length)));
        card.showForms({ apps: this.#forms.get(`apps-${entry.id}`), newRule: this.#forms.get(`new-${entry.id}`) });
        return card;
    }

    /** A rule's row, or its form while the rule is edited. */
    #row(rule, position, total) {
        const row = new RuleRow(rule, { position, total, editor: this });
        this.#rows.set(rule.id, row);
        const form = this.#forms.get(rule.id);
        if (form) row.showForm(form);
        return row.element;
    }

    /** The form of a new entry, and forms whose entry or rule another user has deleted: their input is kept. */
    #formsWithoutPlace() {
        return [...this.#forms.values()].filter((form) => !form.isConnected);
    }

    /** Opens one form per key; opening it again moves the focus to the open one. */
    #open(key, make) {
        if (!this.#forms.has(key)) {
            const form = make(() => this.#close(key));
            form.addEventListener("input", () => (form.dataset.typedIn = "yes"));
            this.#forms.set(key, form);
            this.#draw();
        }
        const form = this.#forms.get(key);
        form.scrollIntoView({ block: "nearest" });
        form.querySelector("[data-first]")?.focus();
    }

    #close(key) {
        this.#forms.delete(key);
        this.#draw();
        this.#controlFor(key).focus();
    }

    /** The control that opened a form, which gets the focus when the form closes. */
    #controlFor(key) {
        const row = this.#rows.get(key);
        if (row) return part(row.element, "edit");
        const [kind, entryID] = [key.slice(0, key.indexOf("-")), key.slice(key.indexOf("-") + 1)];
        const card = this.#root.querySelector(`.entry[data-key="${CSS.escape(entryID)}"]`);
        return card ? part(card, kind === "apps" ? "edit-apps" : "add-rule") : part(this.#root, "add-entry");
    }

    /** `element` is the entry's first element in the file's `details`; the others have the same findings. */
    #showFindingsOf(entry, element) {
        (entry.rules ?? []).forEach((rule, position) => {
            const place = `/applinks/details/${element}/components/${position}`;
            const ofRule = this.#findings.filter(({ pointer }) => `${pointer}/`.startsWith(`${place}/`));
            this.#rows.get(rule.id)?.showFindings(ofRule, this.#page.document.draft);
        });
    }
}
