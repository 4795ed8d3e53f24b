import { afterPause } from "../../../shared/following/later.js";
import { list } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";

/**
 * Says in the form of a rule that was made of a URL whether the rule takes that URL, as it stands and with every
 * change: a URL can be written in ways that no pattern meets. `read` gives the rule as the form has it.
 */
export function followMatch(page, form, { url, leftOut }, read) {
    const place = part(form, "match");
    let turn = 0;
    const follow = async () => {
        const asked = ++turn;
        const isMatch = await matches(page, url, read(), form.elements.entry.value).catch(() => null);
        if (asked === turn) show(place, isMatch, { url, leftOut });
    };
    // A choice of the query's form and a removed item are no input of a field.
    for (const name of ["input", "click"]) form.addEventListener(name, afterPause(200, follow));
    follow();
}

function show(place, isMatch, { url, leftOut }) {
    place.hidden = isMatch === null;
    place.dataset.tone = isMatch ? "good" : "warning";
    const no = `This rule does not take ${url}: the link would stay as it is.`;
    const text = (isMatch ? `This rule takes ${url}.` : no) + (leftOut.length ? ` ${leftOutWords(leftOut)}` : "");
    if (place.textContent !== text) place.textContent = text;
}

function leftOutWords(names) {
    return `The URL names ${list(names)} more than once, with different values; no rule can ask for that.`;
}

/** Asks about a file of this one rule, beside the defaults and the variables of the draft; it opens what it takes. */
async function matches({ api, host, document }, url, rule, entryID) {
    const { defaults, substitutionVariables } = document.draft;
    const entry = document.entry(entryID);
    const details = [{
        appIDs: entry.apps.slice(0, 1),
        defaults: component(entry.defaults),
        components: [component({ ...rule, exclude: false })],
    }];
    const aasa = JSON.stringify({ applinks: { defaults: component(defaults), substitutionVariables, details } });
    const { body } = await api.post("/evaluations", { aasa, domain: host, urls: [url] });
    return body.evaluations[0].outcome === "opens";
}

/** A rule's fields under Apple's names; what is not said is left out. */
function component({ path, query, fragment, exclude, caseSensitive, percentEncoded } = {}) {
    const named = { "/": path, "?": query, "#": fragment, exclude, caseSensitive, percentEncoded };
    return Object.fromEntries(Object.entries(named).filter(([, value]) => (value ?? null) !== null));
}
