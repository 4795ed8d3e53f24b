import { announce } from "../../../components/announce.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { isTypedIn, markTyping } from "../../../shared/forms/typed-work.js";
import { count } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { applyOrAsk } from "../draft/conflict.js";
import { setParts } from "../draft/edits.js";
import { patternText } from "../../../shared/words/pattern.js";
import { ruleAt } from "../../../shared/words/places.js";

/** The finding for a rule that works differently on iOS 9 to 12. */
const lossCode = "WM061";

/** The oldest iOS that the file supports, and the rules that work differently there. */
export class OldestSystem {
    #page;
    #root;
    #form;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "oldest-system");
        this.#form = part(this.#root, "form");
        this.#form.addEventListener("change", () => this.#edited());
        onSubmit(this.#form, () => this.#save());
        part(this.#root, "reset").addEventListener("click", () => this.#fill());
        page.document.addEventListener("change", () => this.isEdited || this.#fill());
    }

    /** Lists the rules that work differently on iOS 9 to 12. */
    showFindings(findings) {
        const { draft } = this.#page.document;
        const losses = findings.filter(({ code }) => code === lossCode);
        part(this.#root, "losses").hidden = draft.compatibility !== "ios9";
        part(this.#root, "summary").textContent = summary(losses.length);
        part(this.#root, "list").replaceChildren(...losses.map((loss) => item(loss, draft)));
    }

    get isEdited() {
        return isTypedIn(this.#form);
    }

    #fill() {
        this.#form.elements.compatibility.value = this.#page.document.draft.compatibility;
        this.#edited(false);
    }

    #edited(isEdited = true) {
        markTyping(this.#form, isEdited);
        part(this.#root, "actions").hidden = !isEdited;
    }

    async #save() {
        const edit = setParts({ compatibility: this.#form.elements.compatibility.value });
        if (await applyOrAsk(this.#page.document, edit, this.#form)) announce("Saved to the draft.");
        this.#fill();
    }
}

function summary(losses) {
    if (losses === 0) return "Every rule works the same on iOS 9 to 12 as on later systems.";
    return `${count(losses, "rule")} ${losses === 1 ? "works" : "work"} differently on iOS 9 to 12:`;
}

function item({ pointer, message }, draft) {
    const rule = ruleAt(pointer, draft);
    const element = clone("loss", { rule: rule && patternText(rule), message });
    if (rule) part(element, "rule").href = `#rule-${rule.id}`;
    return element;
}
