import { count, number } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";
import { patternText } from "../../../shared/words/pattern.js";

/** Fewer rules need no filter. */
const minimumRules = 8;

/** Shows only the rules that contain a text in their pattern or comment. Their numbers stay the true ones. */
export class RuleFilter {
    #root;
    #draft = null;

    constructor(root) {
        this.#root = root;
        part(root, "filter").addEventListener("input", () => this.#apply("polite"));
        part(root, "filter").addEventListener("keydown", (event) => {
            if (event.key === "Escape" && this.#text) this.clear();
        });
    }

    clear() {
        part(this.#root, "filter").value = "";
        this.#apply("polite");
    }

    show(draft) {
        this.#draft = draft;
        this.#apply();
    }

    get #text() {
        return part(this.#root, "filter").value.trim().toLowerCase();
    }

    /** Screen readers do not read out a number that only follows an edit. */
    #apply(live = "off") {
        const rules = this.#draft.entries.flatMap((entry) => entry.rules ?? []);
        const matching = rules.filter((rule) => this.#matches(rule));
        const shown = new Set(matching.map(({ id }) => id));
        for (const row of this.#root.querySelectorAll(".rule[data-key]")) {
            row.hidden = Boolean(this.#text) && !row.dataset.editing && !shown.has(row.dataset.key);
        }
        part(this.#root, "filter-field").hidden = rules.length < minimumRules && !this.#text;
        const found = this.#text ? `${number(matching.length)} of ${count(rules.length, "rule")}` : count(rules.length, "rule");
        const status = part(this.#root, "filter-count");
        status.ariaLive = live;
        status.textContent = found;
    }

    #matches(rule) {
        return `${patternText(rule)}\n${rule.comment ?? ""}`.toLowerCase().includes(this.#text);
    }
}
