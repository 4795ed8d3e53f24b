import { fill, part } from "../../../shared/page/template.js";
import { isTypedIn } from "../../../shared/forms/typed-work.js";
import { explain } from "../tester/verdict-words.js";

/**
 * The open forms of the rules, by key: a rule's ID, or a name for a new rule or the apps of an entry. A form is kept
 * when the list is drawn again. `preview` applies the input of a rule's form to a draft.
 */
export class OpenForms {
    #forms = new Map();
    #typed;

    /** `typed` is called after every change in a form, and when one closes. */
    constructor(typed) {
        this.#typed = typed;
    }

    add(key, { form, preview, anchor = null }) {
        this.#forms.set(key, { key, form, preview, anchor });
        // Choosing the kind of query and removing an item send no `input` event.
        for (const name of ["input", "change", "click"]) form.addEventListener(name, () => this.#typed());
        this.#typed();
    }

    delete(key) {
        this.#forms.delete(key);
        this.#typed();
    }

    has(key) {
        return this.#forms.has(key);
    }

    get(key) {
        return this.#forms.get(key)?.form;
    }

    get all() {
        return [...this.#forms.values()].map(({ form }) => form);
    }

    /** The forms of new rules of an entry: `{ key, form, anchor }`. */
    newIn(entryID) {
        return [...this.#forms.values()].filter(({ anchor }) => anchor?.entry === entryID);
    }

    /** Whether closing the page would lose input. */
    get isTypedIn() {
        return this.all.some(isTypedIn);
    }

    /** Shows in each rule's form what the URL in the tester would do. `draft` is the draft as it would be. */
    showVerdict(evaluation, { apps, draft }) {
        for (const form of this.all.filter((each) => part(each, "outcome"))) {
            const { tone, headline } = explain(evaluation, { apps, draft });
            part(form, "outcome").hidden = !evaluation;
            part(form, "outcome").dataset.outcome = tone;
            fill(form, { "outcome-url": evaluation?.url, "outcome-words": headline });
        }
    }

    get previews() {
        return [...this.#forms.values()].flatMap(({ preview }) => preview ?? []);
    }
}
