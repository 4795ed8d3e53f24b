import { count } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";
import { canEdit } from "./rule-keys.js";

/**
 * The selected rules: by their boxes, by clicks with Shift or Ctrl, or by keys. While there are some, a bar offers what
 * can be done with all of them at once, as one change of the draft.
 */
export class RuleSelection {
    #root;
    #bar;
    #actions;
    #ids = new Set();
    #anchor = null;

    constructor(root, bar, actions) {
        this.#root = root;
        this.#bar = bar;
        this.#actions = actions;
        root.addEventListener("click", (event) => this.#clicked(event));
        root.addEventListener("change", ({ target }) => {
            if (target.dataset.part === "select") this.toggle(target.closest(".rule").dataset.key);
        });
        const on = (name, action) => part(bar, name).addEventListener("click", () => action([...this.#inOrder()]));
        on("duplicate-selected", (ids) => actions.duplicate(ids));
        on("exclude-selected", (ids) => actions.exclude(ids));
        on("up-selected", (ids) => actions.nudge(ids, -1));
        on("down-selected", (ids) => actions.nudge(ids, 1));
        on("delete-selected", (ids) => actions.remove(ids));
        on("clear-selected", () => this.clear());
    }

    get size() {
        return this.#ids.size;
    }

    has(id) {
        return this.#ids.has(id);
    }

    /** The selected rules if this rule is one of them, otherwise this rule alone. */
    including(id) {
        return this.has(id) ? this.#inOrder() : [id];
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
        const hadFocus = this.#bar.contains(document.activeElement);
        const [first] = this.#inOrder();
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
        this.#bar.hidden = this.size === 0;
        this.#root.dataset.selecting = String(this.size > 0);
        part(this.#bar, "selected").textContent = `${count(this.size, "rule")} selected`;
        if (this.size) {
            const words = this.#actions.wouldExclude([...this.#ids]) ? "Keep on the web" : "Open the app";
            part(this.#bar, "exclude-selected").textContent = words;
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

    #inOrder() {
        return this.#rows().map(({ dataset }) => dataset.key).filter((id) => this.has(id));
    }

    #rows() {
        return [...this.#root.querySelectorAll(".rule[data-key]")].filter((row) => !row.hidden);
    }
}
