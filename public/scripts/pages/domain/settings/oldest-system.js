import { announce } from "../../../components/announce.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { count } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { applyOrAsk } from "../draft/conflict.js";
import { setParts } from "../draft/edits.js";
import { patternText } from "../../../shared/words/pattern.js";
import { ruleAt } from "../../../shared/words/places.js";

/** The code of lint for a rule that iOS 9 to 12 get otherwise than it is meant. */
const lossCode = "WM061";

/** The oldest system that the file is for, and what its old systems lose. */
export class OldestSystem {
    #page;
    #root;
    #form;
    #isEdited = false;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "oldest-system");
        this.#form = part(this.#root, "form");
        this.#form.addEventListener("change", () => this.#edited());
        onSubmit(this.#form, () => this.#save());
        part(this.#root, "reset").addEventListener("click", () => this.#fill());
        page.document.addEventListener("change", () => this.#isEdited || this.#fill());
    }

    /** Says of each rule that old systems get otherwise what becomes of it there. */
    showFindings(findings) {
        const { draft } = this.#page.document;
        const losses = findings.filter(({ code }) => code === lossCode);
        part(this.#root, "losses").hidden = draft.compatibility !== "ios9";
        part(this.#root, "summary").textContent = summary(losses.length);
        part(this.#root, "list").replaceChildren(...losses.map((loss) => item(loss, draft)));
    }

    get isEdited() {
        return this.#isEdited;
    }

    #fill() {
        this.#form.elements.compatibility.value = this.#page.document.draft.compatibility;
        this.#edited(false);
    }

    #edited(isEdited = true) {
        this.#isEdited = isEdited;
        part(this.#root, "actions").hidden = !isEdited;
    }

    async #save() {
        const edit = setParts({ compatibility: this.#form.elements.compatibility.value });
        if (await applyOrAsk(this.#page.document, edit, this.#form)) announce("Saved in the draft.");
        this.#fill();
    }
}

function summary(losses) {
    if (losses === 0) return "Every rule does on iOS 9 to 12 what it does on later systems.";
    return `${count(losses, "rule")} ${losses === 1 ? "does" : "do"} something else on iOS 9 to 12:`;
}

function item({ pointer, message }, draft) {
    const rule = ruleAt(pointer, draft);
    const element = clone("loss", { rule: rule && patternText(rule), message });
    if (rule) part(element, "rule").href = `#rule-${rule.id}`;
    return element;
}
