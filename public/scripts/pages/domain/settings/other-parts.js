import { announce } from "../../../components/announce.js";
import { focusNeighbour } from "../../../shared/page/focus.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { isTypedIn, markTyping } from "../../../shared/forms/typed-work.js";
import { clone, label, part, uniqueIDs } from "../../../shared/page/template.js";
import { applyOrAsk } from "../draft/conflict.js";
import { setParts } from "../draft/edits.js";

const kinds = {
    services: { template: "service", pointer: "/services" },
    variables: { template: "variable", pointer: "/substitutionVariables" },
};

/** The parts of the draft other than its entries: services, variables, and whether comments are published. */
export class OtherParts {
    #page;
    #root;
    #opened = {};

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "other-parts");
        const form = part(this.#root, "form");
        part(this.#root, "add-service").addEventListener("click", () => this.#add("services"));
        part(this.#root, "add-variable").addEventListener("click", () => this.#add("variables"));
        form.addEventListener("input", () => this.#edited());
        onSubmit(form, (_, __, { hasTyped }) => this.#save(form, hasTyped));
        part(this.#root, "reset").addEventListener("click", () => this.#fill());
        page.document.follow(() => this.isEdited || this.#fill());
    }

    get isEdited() {
        return isTypedIn(part(this.#root, "form"));
    }

    #fill() {
        const { services, substitutionVariables, publishComments } = this.#page.document.draft;
        this.#showAll("services", services);
        this.#showAll("variables", substitutionVariables);
        part(this.#root, "form").elements.publishComments.checked = Boolean(publishComments);
        this.#edited(false);
        this.#opened = this.#typed;
    }

    get #typed() {
        return {
            services: this.#read("services"),
            substitutionVariables: this.#read("variables"),
            publishComments: part(this.#root, "form").elements.publishComments.checked,
        };
    }

    #showAll(place, named = {}) {
        const items = Object.entries(named).map(([name, lines]) => this.#item(place, name, lines));
        part(this.#root, place).replaceChildren(...items);
    }

    #add(place) {
        const item = this.#item(place, "", []);
        part(this.#root, place).append(item);
        this.#edited();
        part(item, "name").focus();
    }

    #item(place, name, lines) {
        const { template, pointer } = kinds[place];
        const item = uniqueIDs(clone(template));
        part(item, "name").value = name;
        part(item, "lines").value = lines.join("\n");
        part(item, "lines").dataset.pointer = `${pointer}/${name}`;
        label(item, "remove", `Remove ${name || "this"}`).addEventListener("click", () => {
            const index = [...part(this.#root, place).children].indexOf(item);
            item.remove();
            this.#edited();
            focusNeighbour(part(this.#root, place).children, index, "remove", part(this.#root, `add-${template}`));
        });
        return item;
    }

    #edited(isEdited = true) {
        markTyping(part(this.#root, "form"), isEdited);
        part(this.#root, "actions").hidden = !isEdited;
    }

    async #save(form, hasTyped) {
        const edit = (draftDocument) => setParts(changes(this.#opened, this.#typed))(draftDocument);
        if (await applyOrAsk(this.#page.document, edit, form)) announce("Saved to the draft.");
        if (!hasTyped()) this.#fill();
    }

    #read(place) {
        const items = [...part(this.#root, place).children];
        const pairs = items.map((item) => [part(item, "name").value.trim(), linesOf(part(item, "lines").value)]);
        return Object.fromEntries(pairs.filter(([name]) => name !== ""));
    }
}

/** Only the parts changed here, so that another user's change to another part survives. */
function changes(opened, typed) {
    const changed = Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(opened[name]));
    return Object.fromEntries(changed);
}

function linesOf(text) {
    return text.split("\n").map((line) => line.trim()).filter(Boolean);
}
