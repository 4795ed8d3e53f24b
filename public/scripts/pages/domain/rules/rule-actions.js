import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { count } from "../../../shared/words/numbers.js";
import { patternText } from "../../../shared/words/pattern.js";
import { announceStep } from "../draft/history.js";

/** An edit of rules, by name. Its script is loaded when the first one runs. */
const edit = (name, ...values) => async (draftDocument) => {
    const edits = await later(() => import("../draft/rule-edits.js"));
    return edits[name](...values)(draftDocument);
};

/** What can be done with a rule, or with several at once: by menu, by key, and for the selection. */
export class RuleActions {
    #page;
    #editor;

    constructor(page, editor) {
        this.#page = page;
        this.#editor = editor;
    }

    edit([id]) {
        this.#editor.open.edit(id);
    }

    /** Opens the form of a new rule above (0) or below (1) a rule. */
    insert([id], offset) {
        this.#editor.open.insert(id, offset);
    }

    /** One copy opens as a form, so that it differs before it is saved. Several are saved as they are. */
    async duplicate(ids) {
        if (ids.length === 1) {
            const { id, ...fields } = this.#find(ids[0]).rule;
            return this.#editor.open.insert(id, 1, fields);
        }
        if (await this.#editor.apply(edit("duplicateRules", ids))) {
            announceStep(this.#page, `${count(ids.length, "rule")} duplicated.`);
        }
    }

    async nudge(ids, by) {
        const before = this.#page.document.draft;
        if (!(await this.#editor.apply(edit("nudgeRules", ids, by))) || before === this.#page.document.draft) return;
        this.#sayMoved(ids);
    }

    async move(ids, target) {
        if (await this.#editor.apply(edit("moveRules", ids, target))) this.#sayMoved(ids);
    }

    /** Lets the rules open the app if all keep their URLs on the web, and keep them on the web otherwise. */
    async exclude(ids) {
        const exclude = this.wouldExclude(ids);
        const name = this.#name(ids);
        if (!(await this.#editor.apply(edit("excludeRules", ids, exclude)))) return;
        announceStep(this.#page, `${name} now ${effect(exclude, ids.length)}.`);
    }

    wouldExclude(ids) {
        return !ids.every((id) => this.#find(id)?.rule.exclude);
    }

    async remove(ids) {
        const name = this.#name(ids);
        const { entry, position } = this.#find(ids[0]);
        if (!(await this.#editor.apply(edit("removeRules", ids)))) return;
        this.#editor.focus.rule(entry.id, position);
        announceStep(this.#page, `${name} deleted from the draft.`);
    }

    #sayMoved(ids) {
        const { rule, entry, position } = this.#find(ids[0]) ?? {};
        const place = rule && `${patternText(rule)} is now rule ${position + 1} of ${entry.rules.length}`;
        announce(`Moved: ${ids.length === 1 ? place : count(ids.length, "rule")}.`);
    }

    #name(ids) {
        return ids.length === 1 ? `Rule ${patternText(this.#find(ids[0]).rule)}` : count(ids.length, "rule");
    }

    #find(id) {
        return this.#page.document.find(id);
    }
}

function effect(exclude, number) {
    if (number === 1) return exclude ? "keeps its URLs on the web" : "opens the app";
    return exclude ? "keep their URLs on the web" : "open the app";
}
