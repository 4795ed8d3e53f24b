import { registerKeys } from "../../components/keys/keys.js";
import { startPublicPage } from "../../components/public-page.js";
import { Problem, words } from "../../shared/api/problem.js";
import { fill, part } from "../../shared/page/template.js";
import { Contract } from "./contract.js";
import { OperationList } from "./operation-list.js";
import { operationView } from "./operation-view.js";
import { overview, problemList } from "./overview.js";

const main = document.getElementById("main");

/** Shows the operation in the address (`#listDomains`), the problem codes, or the overview. */
class Reference {
    #contract;
    #organization;
    #list;
    #forget = () => {};

    constructor(contract, organization) {
        this.#contract = contract;
        this.#organization = organization;
        this.#list = new OperationList(part(main, "api"), contract);
        window.addEventListener("hashchange", () => this.show({ isMove: true }));
    }

    show({ isMove = false } = {}) {
        const key = location.hash.slice(1) || "overview";
        const { view, forget } = this.#made(key);
        this.#forget();
        this.#forget = forget;
        part(main, "content").replaceChildren(view);
        part(main, "api").dataset.shown = key;
        this.#list.mark(key);
        const heading = view.querySelector("h1");
        document.title = key === "overview" ? "API reference · Waymark" : `${heading.textContent} · API · Waymark`;
        if (!isMove) return;
        window.scrollTo({ top: 0, behavior: "instant" });
        // On a narrow page this scrolls past the list.
        heading.focus();
    }

    #made(key) {
        const { operations } = this.#contract;
        const index = operations.findIndex(({ operationId }) => operationId === key);
        if (key === "problems") return problemList(this.#contract);
        if (index < 0) return overview(this.#contract, this.#organization);
        return operationView(operations[index], {
            contract: this.#contract,
            organization: this.#organization,
            neighbours: [operations[index - 1], operations[index + 1]],
        });
    }
}

async function loaded() {
    const response = await fetch("/v1/openapi.json").catch(() => {
        throw Problem.unreachable();
    });
    if (!response.ok) throw await Problem.from(response);
    return new Contract(await response.json());
}

try {
    const [contract, session] = await Promise.all([loaded(), startPublicPage()]);
    const reference = new Reference(contract, session?.organization?.slug ?? null);
    part(main, "api").hidden = false;
    reference.show();
    registerKeys([{ keys: "/", words: "Search the API", run: () => part(main, "search").focus() }], "API reference");
} catch (error) {
    fill(main, { problem: words(error) });
} finally {
    part(main, "loading").hidden = true;
}
