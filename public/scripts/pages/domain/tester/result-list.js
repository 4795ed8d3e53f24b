import { shortURL } from "../../../components/checking/typed-urls.js";
import { verdict } from "../../../components/checking/verdict.js";
import { count, list } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { decidingPlace } from "./verdict-words.js";

/** The most results drawn at once; the rest on request. */
const pageSize = 100;

/**
 * The results of many URLs, one line each. Sends `choose` (`detail`: an index) when the user picks one, and `save` when
 * the user wants tests of them.
 */
export class ResultList extends EventTarget {
    #page;
    #root;
    #evaluations = [];
    #draft = null;
    #current = 0;

    constructor(page, root) {
        super();
        this.#page = page;
        this.#root = root;
        part(root, "result-list").addEventListener("click", ({ target, currentTarget }) => {
            const detail = [...currentTarget.children].indexOf(target.closest("li"));
            if (detail >= 0) this.dispatchEvent(new CustomEvent("choose", { detail }));
        });
        part(root, "more-results").addEventListener("click", () => this.#showMore());
        part(root, "save-tests").addEventListener("click", () => this.dispatchEvent(new Event("save")));
    }

    /** Hidden for one URL: the verdict says it already. `draft` is the draft document if it was checked. */
    show(evaluations, { draft, current }) {
        this.#evaluations = evaluations;
        this.#draft = draft;
        this.#current = current;
        const isShown = evaluations.length > 1;
        part(this.#root, "results").hidden = !isShown;
        part(this.#root, "results-summary").textContent = isShown ? summary(evaluations) : "";
        const shown = isShown ? evaluations.slice(0, pageSize) : [];
        part(this.#root, "result-list").replaceChildren(...shown.map((each, index) => this.#item(each, index)));
        this.#offerMore();
    }

    choose(index) {
        const rows = part(this.#root, "result-list").children;
        for (const each of [this.#current, index]) {
            if (rows[each]) part(rows[each], "choose").ariaCurrent = String(each === index);
        }
        this.#current = index;
    }

    #item(evaluation, index) {
        const { tone, headline } = verdict(evaluation, (appID) => this.#page.apps.name(appID));
        const item = clone("result");
        fill(item, { url: shortURL(evaluation.url, this.#page.host), outcome: headline });
        fill(item, { rule: evaluation.reason ?? decidingPlace(evaluation, this.#draft) });
        part(item, "choose").title = evaluation.url;
        part(item, "choose").ariaCurrent = String(index === this.#current);
        item.dataset.outcome = tone;
        return item;
    }

    #showMore() {
        const rows = part(this.#root, "result-list");
        const from = rows.childElementCount;
        const next = this.#evaluations.slice(from, from + pageSize);
        rows.append(...next.map((each, index) => this.#item(each, from + index)));
        this.#offerMore();
        part(rows.children[from], "choose").focus();
    }

    #offerMore() {
        const left = this.#evaluations.length - part(this.#root, "result-list").childElementCount;
        const isShown = this.#evaluations.length > 1 && left > 0;
        part(this.#root, "more-results").hidden = !isShown;
        const next = count(Math.min(left, pageSize), "more result");
        part(this.#root, "more-results").textContent = isShown ? `Show ${next}` : "";
    }
}

/** "12 URLs: 8 open an app, 3 stay on the web and 1 is not a universal link" */
function summary(evaluations) {
    const numbers = Object.groupBy(evaluations, (evaluation) => verdict(evaluation).tone);
    const said = [
        ["opens", "opens an app", "open an app"],
        ["excluded", "stays on the web", "stay on the web"],
        ["none", "matches no rule", "match no rule"],
        ["ineligible", "is not a universal link", "are not universal links"],
    ].flatMap(([tone, one, many]) => {
        const found = numbers[tone]?.length ?? 0;
        return found ? [count(found, one, many)] : [];
    });
    return `${count(evaluations.length, "URL")}: ${list(said)}`;
}
