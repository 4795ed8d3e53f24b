import { announce } from "../../../components/announce.js";
import { announceStep } from "../draft/history.js";
import { onPress } from "../../../shared/forms/press.js";
import { count, list } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { clone, label, part } from "../../../shared/page/template.js";
import { newAppAddress } from "../../../shared/page/addresses.js";
import { nudgeEntry, removeEntry, setRules } from "../draft/edits.js";
import { canEdit } from "./rule-keys.js";

/** One entry of the draft: its apps, its list of rules, and the actions on the whole entry. */
export class EntryCard {
    element;
    #entry;
    #index;
    #total;
    #apps;
    #page;
    #editor;

    constructor(entry, { index, total, page, editor }) {
        this.#entry = entry;
        this.#index = index;
        this.#total = total;
        this.#page = page;
        this.#apps = page.apps;
        this.#editor = editor;
        this.element = clone("entry", { heading: total === 1 ? "Apps" : `Entry ${index + 1} of ${total}` });
        this.element.dataset.key = entry.id;
        this.element.id = `entry-${entry.id}`;
        part(this.element, "apps").replaceChildren(...entry.apps.map((appID) => this.#app(appID)));
        this.#showOpenness();
        this.#offerActions();
    }

    /** Shows the rows of the rules, and the forms of new ones. */
    showRules(elements) {
        part(this.element, "list").dataset.entry = this.#entry.id;
        part(this.element, "list").replaceChildren(...elements);
        part(this.element, "list").hidden = elements.length === 0;
    }

    /** Shows the open form of the apps, or none, and whether a rule can be added at the end. */
    showForms({ apps, isAdding }) {
        if (apps) part(this.element, "apps-place").replaceChildren(apps);
        part(this.element, "add-rule").hidden = isAdding;
    }

    #app(appID) {
        const isKnown = this.#apps.isRegistered(appID);
        const name = isKnown ? this.#apps.name(appID) : null;
        const item = clone("entry-app", { name, id: appID, unknown: isKnown ? null : "not registered" });
        const { slug, labels } = this.#page.session.organization;
        // A limited role cannot register apps.
        if (canEdit() && !labels.length) part(item, "unknown").href = newAppAddress(slug, appID);
        return item;
    }

    /** An entry without a rule list opens every URL; one with an empty list opens none. */
    #showOpenness() {
        const { rules } = this.#entry;
        part(this.element, "everything").hidden = Array.isArray(rules);
        part(this.element, "nothing").hidden = rules?.length !== 0;
    }

    #offerActions() {
        const { element } = this;
        const { id } = this.#entry;
        const name = `entry ${this.#index + 1}: ${list(this.#entry.apps.map((appID) => this.#apps.name(appID)))}`;
        const press = (button, action) => onPress(button, action, (error) => announce(words(error)));
        press(label(element, "edit-apps", `Edit the apps of ${name}`), () => this.#editor.open.apps(this.#entry));
        press(label(element, "delete-entry", `Delete ${name}`), () => this.#delete());
        press(part(element, "add-rule"), () => this.#editor.open.add({}, id));
        press(part(element, "open-everything"), () => this.#editor.apply(setRules(id, null)));
        press(part(element, "open-nothing"), () => this.#editor.apply(setRules(id, [])));
        this.#offerMove("entry-up", "earlier", -1);
        this.#offerMove("entry-down", "later", 1);
    }

    #offerMove(name, direction, by) {
        const button = label(this.element, name, `Move entry ${this.#index + 1} ${direction}`);
        const target = this.#index + by;
        button.hidden = this.#total < 2;
        button.ariaDisabled = String(target < 0 || target >= this.#total);
        button.addEventListener("click", () => {
            if (button.ariaDisabled !== "true") this.#editor.apply(nudgeEntry(this.#entry.id, by));
        });
    }

    async #delete() {
        if (!(await this.#editor.apply(removeEntry(this.#entry.id)))) return;
        const rules = this.#entry.rules ? ` and its ${count(this.#entry.rules.length, "rule")}` : "";
        this.#editor.focus.entry(this.#index);
        announceStep(this.#page, `Entry ${this.#index + 1}${rules} deleted from the draft.`);
    }
}
