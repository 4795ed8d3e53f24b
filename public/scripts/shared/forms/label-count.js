import { all } from "../api/api.js";
import { afterPause } from "../following/later.js";
import { count } from "../words/numbers.js";

/** The most domains counted. */
const maximumCounted = 2_000;

/**
 * Shows in `hint` how many domains have the label in `control`, without aliases, whenever it changes. Returns a
 * function that counts immediately, for a prefilled label. Shows nothing if the domains cannot be loaded.
 */
export function countDomainsOf(control, hint, api) {
    let turn = 0;
    const show = async () => {
        const own = ++turn;
        const label = control.value.trim();
        if (!label) return (hint.textContent = "");
        const domains = await all(api, "/domains", { query: { label }, limit: maximumCounted }).catch(() => null);
        if (own === turn) hint.textContent = domains ? words(domains) : "";
    };
    control.addEventListener("input", afterPause(250, show));
    return show;
}

function words(domains) {
    const more = domains.length >= maximumCounted ? "More than " : "";
    const number = domains.filter(({ aliasOf }) => !aliasOf).length;
    return number ? `${more}${count(number, "domain")} with this label.` : "No domain has this label.";
}
