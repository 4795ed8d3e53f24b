import { clone, part } from "../../../shared/page/template.js";
import { keepingFocus } from "../../../shared/page/focus.js";
import { words } from "../../../shared/api/problem.js";
import { applyOrAsk } from "../draft/conflict.js";
import { Preview } from "../draft/preview.js";
import { EntryCard } from "./entry-card.js";
import { entriesOfDetails } from "../../../shared/words/places.js";
import { laterOpener, sortLater } from "./later-forms.js";
import { OpenForms } from "./open-forms.js";
import { RuleActions } from "./rule-actions.js";
import { RuleFocus } from "./rule-focus.js";
import { RuleFilter } from "./rule-filter.js";
import { followKeys } from "./rule-keys.js";
import { RuleRow } from "./rule-row.js";
import { RuleSelection } from "./rule-selection.js";
import { offerUndo } from "../draft/undo-keys.js";

/**
 * The entries of the draft and their rules. After a change, only changed rules are drawn again. Open forms are kept:
 * each has a key (a rule's ID, or `new-` or `apps-` and an ID) and is put back at its rule or entry.
 */
export class RulesEditor {
    /** Opens the forms of rules and apps. */
    open;
    focus;
    #page;
    #root;
    #rows = new Map();
    #forms = new OpenForms(() => this.#page.preview.follow());
    #actions;
    #selection;
    #filter;
    #verdict = null;
    #findings = [];

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "rules");
        this.focus = new RuleFocus(this.#root);
        page.preview = new Preview(page.document, () => this.#forms.previews);
        this.open = laterOpener(page, this.#forms, {
            draw: () => this.#draw(),
            closed: (key, saved) => this.focus.afterForm(key, saved),
        });
        this.#actions = new RuleActions(page, this);
        const entries = part(this.#root, "entries");
        this.#selection = new RuleSelection(entries, part(this.#root, "selection-place"), this.#actions);
        this.#filter = new RuleFilter(this.#root);
        followKeys(this.#root, { actions: this.#actions, selection: this.#selection });
        offerUndo(this.#root, page.history);
        sortLater(entries, (id, target) => this.#actions.move(this.#selection.including(id), target));
        part(this.#root, "add-entry").addEventListener("click", () => this.open.apps(null));
        page.history.addEventListener("replay", ({ detail }) => this.focus.changed(detail));
        page.document.follow(() => this.#draw());
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

    /** Whether leaving the page would lose input. The browser then asks. */
    get isTypedIn() {
        return this.#forms.isTypedIn;
    }

    /** Whether a rule is being dragged: the list must not be drawn under the pointer. */
    get isDragging() {
        return this.#root.querySelector(".is-dragged") !== null;
    }

    /** Moves the focus to a rule, also to one that the filter hides. */
    showRule(id) {
        const element = this.#rows.get(id)?.element;
        if (element?.hidden) this.#filter.clear();
        element?.focus();
    }

    /** Marks the rules whose lines are pointed at in the file. */
    link(ids) {
        for (const [id, { element }] of this.#rows) element.classList.toggle("is-linked", ids.includes(id));
    }

    showVerdict(verdict) {
        this.#verdict = verdict;
        for (const row of this.#rows.values()) row.showVerdict(verdict, this.#page.apps);
        this.#forms.showVerdict(verdict.evaluation);
        const decided = (verdict.evaluation?.apps ?? []).map(({ rule }) => rule);
        for (const row of this.#root.querySelectorAll(".rule[data-new]")) {
            row.dataset.decides = decided.includes(row.dataset.new) ? verdict.evaluation.outcome : "";
        }
    }

    showFindings(findings) {
        this.#findings = findings;
        const { draft } = this.#page.document;
        const details = entriesOfDetails(draft);
        for (const entry of draft.entries) this.#showFindingsOf(entry, details.indexOf(entry), draft);
    }

    #draw() {
        const { draft } = this.#page.document;
        part(this.#root, "problem").hidden = true;
        keepingFocus(this.#root, () => {
            const former = this.#rows;
            this.#rows = new Map();
            const cards = draft.entries.map((entry, index) => this.#card(entry, index, former).element);
            part(this.#root, "entries").replaceChildren(...cards);
            part(this.#root, "entries").append(...this.#forms.withoutPlace());
        });
        const isEmpty = draft.entries.length === 0;
        part(this.#root, "empty").hidden = !isEmpty || this.#forms.has("new-entry");
        const add = part(this.#root, "add-entry");
        const place = part(this.#root, isEmpty ? "first-steps" : "next-steps");
        // Moving it would lose the focus.
        if (add.parentElement !== place) place.prepend(add);
        add.classList.toggle("is-primary", isEmpty);
        part(this.#root, "add-entry-words").textContent = isEmpty ? "Add an app" : "Add an entry for other apps";
        part(this.#root, "revision").textContent = `Revision ${draft.revision}`;
        part(this.#root, "toolbar").hidden = isEmpty;
        this.#selection.show();
        this.#filter.show(draft);
        this.showFindings(this.#findings);
        if (this.#verdict) this.showVerdict(this.#verdict);
    }

    #card(entry, index, former) {
        const total = this.#page.document.draft.entries.length;
        const card = new EntryCard(entry, { index, total, page: this.#page, editor: this });
        const rules = entry.rules ?? [];
        const rows = rules.map((rule, position) => this.#row(rule, position, rules.length, former));
        for (const { form, anchor, key } of this.#forms.newIn(entry.id)) {
            const next = rows.findIndex(({ dataset }) => anchor.next && dataset.key === anchor.next);
            rows.splice(next < 0 ? rows.length : next, 0, newRow(form, key));
        }
        card.showRules(rows);
        card.showForms({ apps: this.#forms.get(`apps-${entry.id}`), isAdding: this.#forms.has(`new-${entry.id}`) });
        return card;
    }

    /** A rule's row, or its form while the rule is edited. */
    #row(rule, position, total, former) {
        const known = former.get(rule.id);
        const row = known?.shows(rule)
            ? known
            : new RuleRow(rule, { actions: this.#actions, selection: this.#selection });
        this.#rows.set(rule.id, row);
        row.moveTo(position, total);
        row.showForm(this.#forms.get(rule.id));
        return row.element;
    }

    /** `element` is the entry's first element in the file's `details`; the others have the same findings. */
    #showFindingsOf(entry, element, draft) {
        (entry.rules ?? []).forEach((rule, position) => {
            const mend = async (fix) => (await this.#page.mend(fix)) && this.#focusMended(rule, entry, position);
            const place = `/applinks/details/${element}/components/${position}`;
            const ofRule = this.#findings.filter(({ pointer }) => `${pointer}/`.startsWith(`${place}/`));
            this.#rows.get(rule.id)?.showFindings(ofRule, { draft, mend });
        });
    }

    /** A fix can change, move or remove a rule. A changed rule may have another ID. */
    #focusMended({ id }, entry, position) {
        if (this.#rows.has(id)) this.showRule(id);
        else this.focus.rule(entry.id, position);
    }
}

function newRow(form, key) {
    const row = clone("new-rule");
    row.dataset.new = key;
    row.id = `rule-${key}`;
    part(row, "form-place").append(form);
    return row;
}
