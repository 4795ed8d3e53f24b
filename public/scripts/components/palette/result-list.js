import { clone, part, showHost } from "../../shared/page/template.js";

/**
 * The results below the finder's field: a listbox that the field controls, so that the focus stays in the field. Calls
 * `choose(item, { beside })`; `beside` means in a new tab.
 */
export class ResultList {
    #root;
    #input;
    #choose;
    #options = [];
    #current = 0;

    constructor(root, input, choose) {
        this.#root = root;
        this.#input = input;
        this.#choose = choose;
        root.addEventListener("pointermove", ({ target }) => this.#select(this.#indexOf(target)));
        root.addEventListener("click", (event) => this.#take(this.#indexOf(event.target), event));
        // The focus stays in the field.
        root.addEventListener("pointerdown", (event) => event.preventDefault());
    }

    /** Shows groups, `{ name, items }`, and selects the first item; or the same item, if the user had moved to one. */
    show(groups) {
        const kept = this.#current > 0 ? this.#options[this.#current]?.item : null;
        this.#options = [];
        this.#root.replaceChildren(...groups.map((group, index) => this.#group(group, index)));
        this.#input.ariaExpanded = String(this.#options.length > 0);
        const same = kept ? this.#options.findIndex(({ item }) => isSame(item, kept)) : -1;
        this.#current = 0;
        this.#select(Math.max(same, 0));
    }

    /** Moves with the arrow keys, and chooses with Enter. Returns whether it was one of them. */
    pressed(event) {
        const steps = { ArrowDown: 1, ArrowUp: -1 };
        if (event.isComposing || event.target !== this.#input) return false;
        if (event.key === "Enter") this.#take(this.#current, event);
        else if (steps[event.key]) this.#select(this.#current + steps[event.key], { scroll: true });
        else return false;
        return true;
    }

    #group({ name, items }, index) {
        const group = clone("palette-group", { name });
        part(group, "name").id = `palette-group-${index}`;
        group.setAttribute("aria-labelledby", `palette-group-${index}`);
        group.append(...items.map((item) => this.#option(item)));
        return group;
    }

    #option(item) {
        const option = clone("palette-option", { detail: item.detail || null });
        showHost(part(option, "words"), item.words);
        option.id = `palette-option-${this.#options.length}`;
        this.#options.push({ item, option });
        return option;
    }

    #indexOf(target) {
        const option = target.closest("[role=option]");
        return this.#options.findIndex((each) => each.option === option);
    }

    #select(index, { scroll = false } = {}) {
        const total = this.#options.length;
        if (!total) return this.#input.removeAttribute("aria-activedescendant");
        if (index === -1 && !scroll) return;
        this.#options[this.#current]?.option.setAttribute("aria-selected", "false");
        this.#current = (index + total) % total;
        const { option } = this.#options[this.#current];
        option.setAttribute("aria-selected", "true");
        this.#input.setAttribute("aria-activedescendant", option.id);
        if (scroll) option.scrollIntoView({ block: "nearest" });
    }

    #take(index, { metaKey, ctrlKey }) {
        const found = this.#options[index];
        if (found) this.#choose(found.item, { beside: metaKey || ctrlKey });
    }
}

function isSame(one, other) {
    return one.words === other.words && one.href === other.href && one.group === other.group;
}
