import { count } from "../../../../shared/words/numbers.js";
import { clone, part } from "../../../../shared/page/template.js";

/** The bar with what can be done with all selected rules at once, as one change of the draft. */
export class SelectionBar {
    element = clone("rules-selection");
    #actions;

    constructor(selection, actions) {
        this.#actions = actions;
        const on = (name, action) => {
            part(this.element, name).addEventListener("click", () => action([...selection.inOrder]));
        };
        on("duplicate-selected", (ids) => actions.duplicate(ids));
        on("exclude-selected", (ids) => actions.exclude(ids));
        on("up-selected", (ids) => actions.nudge(ids, -1));
        on("down-selected", (ids) => actions.nudge(ids, 1));
        on("delete-selected", (ids) => actions.remove(ids));
        on("clear-selected", () => selection.clear());
    }

    show(ids) {
        this.element.hidden = ids.length === 0;
        part(this.element, "selected").textContent = `${count(ids.length, "rule")} selected`;
        if (!ids.length) return;
        const words = this.#actions.wouldExclude(ids) ? "Keep on the web" : "Open the app";
        part(this.element, "exclude-selected").textContent = words;
    }
}
