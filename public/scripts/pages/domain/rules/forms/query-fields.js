import { clone, part, uniqueIDs } from "../../../../shared/page/template.js";

/**
 * The query of a rule: any query, a pattern for each named item, or one pattern for the whole text. In the file these
 * are no key, an object or a string.
 */
export class QueryFields {
    #root;
    #mode;

    constructor(root) {
        this.#root = root;
        this.#mode = root.querySelector("select");
        this.#mode.addEventListener("change", () => this.#showMode({ isChosen: true }));
        part(root, "add-item").addEventListener("click", () => this.#addItem(["", ""], { isChosen: true }));
    }

    show(query) {
        this.#mode.value = query === null ? "any" : typeof query === "string" ? "text" : "items";
        part(this.#root, "text").value = typeof query === "string" ? query : "";
        this.#showItems(query !== null && typeof query === "object" ? Object.entries(query) : []);
        this.#showMode({ isChosen: false });
    }

    /** `null`, a text, or an object of name → pattern, as the API takes it. */
    get value() {
        if (this.#mode.value === "any") return null;
        if (this.#mode.value === "text") return part(this.#root, "text").value.trim();
        const text = (item, name) => part(item, name).value.trim();
        const named = this.#items().map((item) => [text(item, "name"), text(item, "pattern")]);
        return Object.fromEntries(named.filter(([name]) => name !== ""));
    }

    /** The sentence that says what to enter before the query can be saved; null if it is complete. */
    get missing() {
        if (this.#mode.value !== "items") return null;
        const items = this.#items().map((item) => [part(item, "name").value.trim(), part(item, "pattern").value.trim()]);
        if (items.some(([name, pattern]) => !name && pattern)) return "Enter a name for each item.";
        return items.some(([name]) => name) ? null : "Enter at least one item, or choose “Any query, or none”.";
    }

    #showMode({ isChosen }) {
        const { value } = this.#mode;
        part(this.#root, "text-field").hidden = value !== "text";
        part(this.#root, "items-field").hidden = value !== "items";
        if (value === "items" && this.#items().length === 0) this.#addItem(["", ""], { isChosen });
    }

    #items() {
        return [...part(this.#root, "items").children];
    }

    #showItems(items) {
        part(this.#root, "items").replaceChildren();
        for (const item of items) this.#addItem(item, { isChosen: false });
    }

    #addItem([name, pattern], { isChosen }) {
        const item = uniqueIDs(clone("query-item"));
        part(item, "name").value = name;
        part(item, "pattern").value = pattern;
        part(item, "pattern").dataset.pointer = `/query/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        part(item, "remove").addEventListener("click", () => this.#remove(item));
        part(this.#root, "items").append(item);
        if (isChosen) part(item, "name").focus();
    }

    #remove(item) {
        item.remove();
        part(this.#root, "add-item").focus();
    }
}
