import { afterPause } from "../../shared/following/later.js";
import { suggestLabels } from "../../shared/forms/label-suggestions.js";
import { part } from "../../shared/page/template.js";
import { domainStates } from "../../shared/words/states.js";
import { atMost } from "../../shared/words/numbers.js";
import { problemKinds } from "./problem-kinds.js";

/** The filters and the sort order. They are in the page's address, so that a list can be bookmarked and sent. */
export class Filters {
    #form;
    #changed;

    /** Calls `changed` when the values have changed, and the address with them. */
    constructor(main, api, changed) {
        this.#form = part(main, "filters");
        this.#changed = changed;
        addOptions(part(main, "states"), domainStates);
        addOptions(part(main, "problems"), { any: { words: "Any problem" }, ...problemKinds });
        this.#readAddress();
        this.#form.addEventListener("submit", (event) => event.preventDefault());
        this.#form.addEventListener("input", afterPause(200, () => this.#apply()));
        suggestLabels(this.#form.elements.label, part(main, "label-suggestions"), api);
        part(main, "clear").addEventListener("click", () => this.clear());
        part(main, "more-filters").addEventListener("click", () => this.#toggleMore());
        this.#showActive();
    }

    get values() {
        return Object.fromEntries([...new FormData(this.#form)].map(([name, value]) => [name, value.trim()]));
    }

    /** Whether the values leave out domains. */
    get isNarrow() {
        return Object.entries(this.values).some(([name, value]) => value && name !== "sort");
    }

    /** Whether the list is as it is without any choice. */
    get isUntouched() {
        return !Object.values(this.values).some(Boolean);
    }

    /** The label, if it is the only filter. */
    get onlyLabel() {
        const { label, sort, ...others } = this.values;
        return Object.values(others).some(Boolean) ? null : label || null;
    }

    set(name, value) {
        this.#form.elements[name].value = value;
        this.#apply();
    }

    /** Leaves only the domains with a problem, and moves the focus to that filter. */
    showProblems() {
        this.set("problem", "any");
        const select = this.#form.elements.problem;
        (select.checkVisibility() ? select : part(this.#form, "more-filters")).focus();
    }

    clear() {
        for (const control of this.#form.elements) if (control.name && control.name !== "sort") control.value = "";
        this.#apply();
        this.#form.elements.q.focus();
    }

    hide(isHidden) {
        this.#form.hidden = isHidden;
    }

    /** Shows in the choices how many domains have each problem. */
    showCounts({ problems, limit }) {
        for (const option of this.#form.elements.problem.options) {
            option.dataset.words ??= option.textContent;
            if (option.value) option.textContent = `${option.dataset.words} (${atMost(problems[option.value], limit)})`;
        }
    }

    #apply() {
        const address = new URL(location.href);
        for (const [name, value] of Object.entries(this.values)) {
            if (value) address.searchParams.set(name, value);
            else address.searchParams.delete(name);
        }
        history.replaceState(null, "", address);
        this.#showActive();
        this.#changed();
    }

    #readAddress() {
        const asked = new URLSearchParams(location.search);
        for (const control of this.#form.elements) {
            if (!control.name) continue;
            control.value = asked.get(control.name) ?? "";
            if (control.selectedIndex === -1) control.value = "";
        }
    }

    /** On a narrow screen, most filters are behind a button, which shows how many are set. */
    #showActive() {
        const { q, ...others } = this.values;
        const active = Object.values(others).filter(Boolean).length;
        part(this.#form, "more-filters").textContent = active ? `Filters (${active})` : "Filters";
    }

    #toggleMore() {
        const isOpen = part(this.#form, "filters-more").classList.toggle("is-open");
        part(this.#form, "more-filters").ariaExpanded = isOpen;
    }
}

function addOptions(select, kinds) {
    select.append(...Object.entries(kinds).map(([value, { words }]) => new Option(words, value)));
}
