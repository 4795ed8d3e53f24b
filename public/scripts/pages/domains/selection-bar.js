import { announce } from "../../components/announce.js";
import { words } from "../../shared/api/problem.js";
import { all } from "../../shared/api/api.js";
import { onPress } from "../../shared/forms/form.js";
import { part } from "../../shared/page/template.js";
import { atMost, number } from "../../shared/words/numbers.js";
import { offerBulkActions } from "./bulk-actions.js";
import { Selection } from "./selection.js";

/** The most domains selected at a time. */
const maximumSelected = 2_000;

/** The bar above the list: the number of domains, or the selection and its actions. */
export class SelectionBar {
    #main;
    #api;
    #filters;
    #selection;
    #counts = null;

    constructor(main, session, filters, place, reload) {
        this.#main = main;
        this.#api = session.api;
        this.#filters = filters;
        const changed = () => {
            place.keepMore({ selected: this.#selection.entries });
            this.show(this.#counts);
        };
        this.#selection = new Selection(part(main, "list"), history.state?.selected ?? [], changed);
        part(main, "all").addEventListener("click", ({ target }) => this.#selection.selectShown(target.checked));
        part(main, "clear-selection").addEventListener("click", () => this.#clearAndFocus());
        onPress(part(main, "select-matching"), () => this.#selectMatching(), (error) => announce(words(error)));
        offerBulkActions(main, session, this.#selection, () => this.#label, reload);
    }

    has(host) {
        return this.#selection.has(host);
    }

    clear() {
        if (this.#selection.size) this.#selection.clear();
    }

    /** `counts` are those of the shown list. */
    show(counts) {
        this.#counts = counts;
        const { size, areAllShown } = this.#selection;
        const { matching, limit } = counts;
        part(this.#main, "count").textContent = size
            ? `${number(size)} selected`
            : `${atMost(matching, limit)} ${matching === 1 ? "domain" : "domains"}`;
        part(this.#main, "bulk").hidden = size === 0;
        part(this.#main, "all").checked = areAllShown;
        part(this.#main, "all").indeterminate = size > 0 && !areAllShown;
        const most = Math.min(matching, maximumSelected);
        const others = part(this.#main, "select-matching");
        others.hidden = !areAllShown || size >= most;
        others.textContent = `Select ${most < matching ? "the first" : "all"} ${number(most)} matching`;
    }

    /** The label that stands for the selection: the list is filtered by it alone, and all of it is selected. */
    get #label() {
        return this.#selection.size >= this.#counts.matching ? this.#filters.onlyLabel : null;
    }

    async #selectMatching() {
        const domains = await all(this.#api, "/domains", { query: this.#filters.values, limit: maximumSelected });
        this.#selection.add(domains);
    }

    #clearAndFocus() {
        this.clear();
        part(this.#main, "all").focus();
    }
}
