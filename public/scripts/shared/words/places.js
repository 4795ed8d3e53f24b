import { number } from "./numbers.js";

/**
 * Places in the file, in the words of the page. The API names them by JSON Pointers: `/applinks/details/0/components/2`
 * is the third rule of the first entry.
 */

/** The draft's rule at a pointer into the generated file, or null. */
export function ruleAt(pointer, draft) {
    const [, element, rule] = /^\/applinks\/details\/(\d+)\/components\/(\d+)/.exec(pointer ?? "") ?? [];
    return entriesOfDetails(draft)[element]?.rules?.[rule] ?? null;
}

/**
 * The draft's entry for each element of the file's `details`. For iOS 9 an entry has an element for each of its apps,
 * because `appID` names one app.
 */
export function entriesOfDetails(draft) {
    const { entries, compatibility } = draft ?? { entries: [] };
    if (compatibility !== "ios9") return entries;
    return entries.flatMap((entry) => Array(Math.max(new Set(entry.apps).size, 1)).fill(entry));
}

/** A sentence as nodes, with its pointers as links in the words of the page. Unknown pointers stay. */
export function inPageWords(sentence, draft) {
    const nodes = [];
    let end = 0;
    for (const match of sentence.matchAll(places)) {
        const link = draft && linkTo(match.groups, draft);
        if (!link) continue;
        nodes.push(sentence.slice(end, match.index), link);
        end = match.index + match[0].length;
    }
    return [...nodes, sentence.slice(end)];
}

const places =
    /(?:(?:the rule )?\bat )?\/applinks\/details\/(?<entry>\d+)(?:\/components\/(?<rule>\d+))?(?:\/[\w#?~]+)*/g;

function linkTo({ entry: element, rule: ruleIndex }, draft) {
    const entry = entriesOfDetails(draft)[element];
    if (!entry) return null;
    if (ruleIndex === undefined) return linkWith(`entry ${draft.entries.indexOf(entry) + 1}`, `#entry-${entry.id}`);
    const rule = entry.rules?.[ruleIndex];
    return rule ? linkWith(`rule ${Number(ruleIndex) + 1} of ${entryName(entry)}`, `#rule-${rule.id}`) : null;
}

/** Named by its first app, without the Team ID. */
function entryName({ apps: [first, ...others] }) {
    const bundleID = first?.slice(first.indexOf(".") + 1);
    const more = others.length ? ` and ${number(others.length)} more` : "";
    return first ? `the entry of ${bundleID}${more}` : "the entry without apps";
}

function linkWith(words, address) {
    const link = document.createElement("a");
    link.textContent = words;
    link.href = address;
    return link;
}
