import { mayClose } from "../../components/dialogs.js";
import { clearErrors } from "../../shared/forms/field-errors.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { part } from "../../shared/page/template.js";

/** The form below a list, which adds an item. A button opens it. It is always open if there are no items. */
export class AddForm {
    #opener;
    #form;
    #isOpen = false;
    #isEmpty = false;

    constructor(root) {
        this.#opener = part(root, "add");
        this.#form = part(root, "add-form");
        this.#opener.addEventListener("click", () => this.open());
        part(this.#form, "cancel").addEventListener("click", () => this.#cancel());
        this.#form.addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || event.isComposing || this.#isEmpty) return;
            // The same key would close the question.
            event.preventDefault();
            this.#cancel();
        });
    }

    /** Shows the form or its button, as soon as it is known whether there are items. */
    show({ isEmpty }) {
        this.#isEmpty = isEmpty;
        this.#draw();
    }

    /** Opens the form with some fields filled in, and moves the focus to the first other one. */
    open(values = {}) {
        this.#isOpen = true;
        this.#draw();
        for (const [name, value] of Object.entries(values)) this.#form.elements[name].value = value;
        [...this.#form.querySelectorAll("input")].find(({ name }) => !(name in values)).focus();
    }

    /** Closes the form after an item was added. */
    close() {
        this.#isOpen = false;
        this.#draw();
        this.#opener.focus();
    }

    async #cancel() {
        if (!(await mayClose(this.#form))) return;
        this.#form.reset();
        markTyping(this.#form, false);
        clearErrors(this.#form);
        this.close();
    }

    #draw() {
        const isShown = this.#isOpen || this.#isEmpty;
        this.#form.hidden = !isShown;
        this.#opener.hidden = isShown;
        part(this.#form, "cancel").hidden = this.#isEmpty;
    }
}
