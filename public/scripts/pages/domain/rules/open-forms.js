import { isTypedIn } from "../../../shared/forms/typed-work.js";

/**
 * The open forms of the rules, by key: a rule's ID, or a name for a new rule or the apps of an entry. A form is kept
 * when the list is drawn again. `preview` applies the input of a rule's form to a draft, and `judge` shows in it what
 * the rule will do.
 */
export class OpenForms {
    #forms = new Map();
    #typed;

    /** `typed` is called after every change in a form, and when one closes. */
    constructor(typed) {
        this.#typed = typed;
    }

    add(key, { form, anchor = null, ...more }) {
        this.#forms.set(key, { key, form, anchor, ...more });
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

    /**
     * The forms of new entries and rules, and forms with input, whose entry or rule is gone or not yet there. Other such
     * forms close.
     */
    withoutPlace() {
        const lost = [...this.#forms.values()].filter(({ form }) => !form.isConnected);
        const isKept = ({ key, form, isChanged }) => key.startsWith("new-") || isTypedIn(form) || isChanged?.();
        for (const { key, end } of lost.filter((each) => !isKept(each))) {
            this.#forms.delete(key);
            end?.();
        }
        return lost.filter(isKept).map(({ form }) => form);
    }

    /** Whether closing the page would lose input. */
    get isTypedIn() {
        return this.all.some(isTypedIn);
    }

    /** Takes the evaluation of the URL in the tester, or null. */
    showVerdict(evaluation) {
        for (const { judge } of this.#forms.values()) judge?.(evaluation);
    }

    get previews() {
        return [...this.#forms.values()].flatMap(({ preview }) => preview ?? []);
    }
}
