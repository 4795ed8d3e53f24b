import { announce } from "../../../components/announce.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { forms } from "./later-forms.js";
import { canEdit } from "./rule-keys.js";

/**
 * The selected rules: by their boxes, by clicks with Shift or Ctrl, or by keys. While there are some, a bar offers what
 * can be done with all of them at once, as one change of the draft.
 */
export class RuleSelection {
    #root;
    #place;
    /** Made when rules are first selected. */
    #bar = null;
    #actions;
    #ids = new Set();
    #anchor = null;

    /** The bar appears in `place`. */
    constructor(root, place, actions) {
        this.#root = root;
        this.#place = place;
        this.#actions = actions;
        root.addEventListener("click", (event) => this.#clicked(event));
        root.addEventListener("change", ({ target }) => {
            if (target.dataset.part === "select") this.toggle(target.closest(".rule").dataset.key);
        });
    }

    get size() {
        return this.#ids.size;
    }

    has(id) {
        return this.#ids.has(id);
    }

    /** The selected rules if this rule is one of them, otherwise this rule alone. */
    including(id) {
        return this.has(id) ? this.inOrder : [id];
    }

    toggle(id) {
        if (!this.#ids.delete(id)) this.#ids.add(id);
        this.#anchor = id;
        this.show();
    }

    /** Selects everything from the last chosen rule to this one. */
    extendTo(id) {
        const keys = this.#rows().map(({ dataset }) => dataset.key);
        const [first, last] = [keys.indexOf(this.#anchor), keys.indexOf(id)].sort((one, other) => one - other);
        for (const key of keys.slice(Math.max(first, 0), last + 1)) this.#ids.add(key);
        this.show();
    }

    selectAll() {
        for (const { dataset } of this.#rows()) this.#ids.add(dataset.key);
        this.show();
    }

    clear() {
        const hadFocus = this.#place.contains(document.activeElement);
        const [first] = this.inOrder;
        this.#ids.clear();
        this.show();
        if (hadFocus) this.#rows().find(({ dataset }) => dataset.key === first)?.focus();
    }

    /** Shows the selection, without the rules that no longer exist. */
    show() {
        const rows = [...this.#root.querySelectorAll(".rule[data-key]")];
        this.#ids = new Set(rows.map(({ dataset }) => dataset.key).filter((id) => this.#ids.has(id)));
        for (const row of rows) {
            const isSelected = this.has(row.dataset.key);
            if (row.ariaSelected === String(isSelected) && part(row, "select").checked === isSelected) continue;
            row.ariaSelected = String(isSelected);
            part(row, "select").checked = isSelected;
        }
        this.#root.dataset.selecting = String(this.size > 0);
        if (this.size || this.#bar) this.#showBar();
    }

    async #showBar() {
        try {
            const { SelectionBar } = await forms();
            if (!this.#bar) {
                this.#bar = new SelectionBar(this, this.#actions);
                this.#place.replaceWith(this.#bar.element);
                this.#place = this.#bar.element;
            }
            this.#bar.show([...this.#ids]);
        } catch (problem) {
            announce(words(problem));
        }
    }

    #clicked(event) {
        const row = event.target.closest(".rule[data-key]");
        if (!row || !canEdit() || event.target.closest("form, a, button, input, label")) return;
        const id = row.dataset.key;
        if (event.shiftKey) {
            getSelection().removeAllRanges();
            return this.extendTo(id);
        }
        if (event.ctrlKey || event.metaKey) return this.toggle(id);
        if (getSelection().isCollapsed && event.target.closest(".rule-pattern, .rule-comment")) this.#actions.edit([id]);
    }

    /** The IDs of the selected rules, from top to bottom. */
    get inOrder() {
        return this.#rows().map(({ dataset }) => dataset.key).filter((id) => this.has(id));
    }

    #rows() {
        return [...this.#root.querySelectorAll(".rule[data-key]")].filter((row) => !row.hidden);
    }
}
