import { clone, fill, part } from "../../shared/page/template.js";
import { count } from "../../shared/words/numbers.js";

/** The list of all operations, by resource. Typed words narrow it: they are searched in everything the contract says. */
export class OperationList {
    #root;
    #links = [];

    constructor(root, contract) {
        this.#root = root;
        part(root, "groups").append(...contract.groups.map((group) => this.#group(group)));
        part(root, "search").addEventListener("input", () => this.#narrow());
        this.#narrow();
    }

    /** Marks the link of the visible operation. */
    mark(key) {
        for (const link of this.#root.querySelectorAll(".api-link")) {
            if (link.dataset.key === key) link.setAttribute("aria-current", "true");
            else link.removeAttribute("aria-current");
        }
        this.#root.querySelector(".api-link[aria-current]")?.scrollIntoView({ block: "nearest" });
    }

    #group({ description, operations }) {
        const group = clone("group", { name: description });
        part(group, "links").append(...operations.map((operation) => this.#item(operation)));
        return group;
    }

    #item(operation) {
        const { method, path, summary, operationId } = operation;
        const item = clone("link", { method, summary });
        part(item, "method").dataset.method = method;
        part(item, "link").href = `#${operationId}`;
        part(item, "link").dataset.key = operationId;
        part(item, "link").title = `${method} ${path}`;
        this.#links.push({ item, text: searched(operation) });
        return item;
    }

    #narrow() {
        const words = part(this.#root, "search").value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const { item, text } of this.#links) item.hidden = !words.every((word) => text.includes(word));
        for (const group of part(this.#root, "groups").children) {
            group.hidden = !group.querySelector("li:not([hidden])");
        }
        const total = this.#links.filter(({ item }) => !item.hidden).length;
        fill(this.#root, { total: total ? count(total, "operation") : "No operation matches." });
    }
}

/** Everything to search in: the address, the words, the parameters, the role and the problem codes. */
function searched({ operationId, method, path, summary, description = "", parameters, right, answers }) {
    const names = parameters.map(({ name }) => name);
    const codes = answers.flatMap(({ codes }) => codes);
    return [operationId, method, path, summary, description, right, ...names, ...codes].join(" ").toLowerCase();
}
