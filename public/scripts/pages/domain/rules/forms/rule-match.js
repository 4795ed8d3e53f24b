import { afterPause } from "../../../../shared/following/later.js";
import { list } from "../../../../shared/words/numbers.js";
import { part } from "../../../../shared/page/template.js";

/**
 * In the form of a rule that was made from a URL, says whether the rule matches that URL, now and after every change:
 * no pattern can match some URLs. `read` returns the rule in the form.
 */
export function followMatch(page, form, { url, leftOut }, read) {
    const place = part(form, "match");
    let turn = 0;
    const follow = async () => {
        const asked = ++turn;
        const isMatch = await matches(page, url, read(), form.elements.entry.value).catch(() => null);
        if (asked === turn) show(place, isMatch, { url, leftOut });
    };
    // Choosing the kind of query and removing an item send no `input` event.
    for (const name of ["input", "click"]) form.addEventListener(name, afterPause(200, follow));
    follow();
}

function show(place, isMatch, { url, leftOut }) {
    place.hidden = isMatch === null;
    place.dataset.tone = isMatch ? "good" : "warning";
    const no = `This rule does not match ${url}: the result would not change.`;
    const text = (isMatch ? `This rule matches ${url}.` : no) + (leftOut.length ? ` ${leftOutWords(leftOut)}` : "");
    if (place.textContent !== text) place.textContent = text;
}

function leftOutWords(names) {
    return `The URL has ${list(names)} more than once with different values. A rule cannot match that.`;
}

/** Evaluates a file with this one rule, as an opening one, and the defaults and variables of the draft. */
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

/** A rule's fields under Apple's names, without those that are not set. */
function component({ path, query, fragment, exclude, caseSensitive, percentEncoded } = {}) {
    const named = { "/": path, "?": query, "#": fragment, exclude, caseSensitive, percentEncoded };
    return Object.fromEntries(Object.entries(named).filter(([, value]) => (value ?? null) !== null));
}
