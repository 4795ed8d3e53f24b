import { part } from "../../../shared/page/template.js";
import { focusNeighbour } from "../../../shared/page/focus.js";
import { same } from "../draft/same.js";

/** Where the keyboard focus goes in the list of rules. */
export class RuleFocus {
    #root;

    constructor(root) {
        this.#root = root;
    }

    /** Moves the focus to the rule at a position of an entry, or to its neighbour if it was deleted. */
    rule(entryID, position) {
        const card = this.#card(entryID);
        if (!card) return this.entry(0);
        const rows = card.querySelectorAll(".rule[data-key]");
        focusNeighbour(rows, position, "row", part(card, "add-rule"), part(this.#root, "rules-title"));
    }

    entry(index) {
        const cards = this.#root.querySelectorAll(".entry");
        focusNeighbour(cards, index, "edit-apps", part(this.#root, "add-entry"), part(this.#root, "rules-title"));
    }

    /** After a form has closed: to the saved rule, or else to the rule or control that opened it. */
    afterForm(key, saved) {
        const row = [saved, key, /^new-(.*)-[01]$/.exec(key)?.[1]].map((id) => this.#row(id)).find(Boolean);
        if (row) return row.focus();
        const [, kind, entryID] = /^(new|apps)-(.*)$/.exec(key) ?? [];
        const card = this.#card(entryID);
        (card ? part(card, kind === "apps" ? "edit-apps" : "add-rule") : part(this.#root, "add-entry")).focus();
    }

    /** After undo and redo: to the one thing that came back, unless the user is pressing the button. */
    changed({ from, to }) {
        if (document.activeElement?.matches("[data-part=undo-step], [data-part=redo-step]")) return;
        const entry = to.entries.findIndex(({ id }) => !from.entries.some((each) => each.id === id));
        if (entry >= 0) return this.entry(entry);
        const before = new Map(from.entries.flatMap(({ rules }) => rules ?? []).map((rule) => [rule.id, rule]));
        const after = to.entries.flatMap(({ rules }) => rules ?? []);
        const changed = after.filter((rule) => !same(rule, before.get(rule.id)));
        if (changed.length === 1) this.#row(changed[0].id)?.focus();
    }

    #row(id) {
        return id && this.#root.querySelector(`.rule[data-key="${CSS.escape(id)}"]`);
    }

    #card(entryID) {
        return entryID && this.#root.querySelector(`.entry[data-key="${CSS.escape(entryID)}"]`);
    }
}
