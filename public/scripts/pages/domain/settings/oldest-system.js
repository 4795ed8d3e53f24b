import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { words } from "../../../shared/api/problem.js";
import { Newest } from "../../../shared/following/newest.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { isTypedIn, markTyping } from "../../../shared/forms/typed-work.js";
import { count } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";
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
    #asking = new Newest();

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "oldest-system");
        this.#form = part(this.#root, "form");
        this.#form.addEventListener("change", () => this.#edited());
        onSubmit(this.#form, (_, __, { hasTyped }) => this.#save(hasTyped));
        part(this.#root, "reset").addEventListener("click", () => this.#fill());
        page.document.follow(() => this.#follow());
    }

    /** Lists the rules that work differently on iOS 9 to 12, if the draft supports these. */
    async #follow() {
        if (!this.isEdited) this.#fill();
        const { draft } = this.#page.document;
        part(this.#root, "losses").hidden = true;
        if (draft.compatibility !== "ios9") return;
        const path = at`/domains/${this.#page.host}/draft/findings`;
        await this.#asking.ask((signal) => this.#page.api.get(path, { signal }), {
            answered: ({ body }) => this.#showFindings(body.findings, draft),
            failed: (problem) => fill(this.#form, { problem: words(problem) }),
        });
    }

    #showFindings(findings, draft) {
        const losses = findings.filter(({ code }) => code === lossCode);
        part(this.#root, "losses").hidden = false;
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

    async #save(hasTyped) {
        const edit = setParts({ compatibility: this.#form.elements.compatibility.value });
        if (await applyOrAsk(this.#page.document, edit, this.#form)) announce("Saved to the draft.");
        if (!hasTyped()) this.#fill();
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
