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

/**
 * The sentence of a finding as nodes: its JSON Pointers, and its "rule 2", which is a rule of the finding's own entry,
 * are links to the page's rules and entries. Unknown places stay text. `pointer` is the finding's.
 */
export function inPageWords(sentence, draft, pointer) {
    const own = /^\/applinks\/details\/(\d+)/.exec(pointer ?? "")?.[1];
    const nodes = [];
    let end = 0;
    for (const match of sentence.matchAll(places)) {
        const { number, ...groups } = match.groups;
        const link = draft && (number ? linkToOwn(match[0], number, own, draft) : linkTo(groups, draft));
        if (!link) continue;
        nodes.push(sentence.slice(end, match.index), link);
        end = match.index + match[0].length;
    }
    return [...nodes, sentence.slice(end)];
}

const ruleNumber = /\brule (?<number>\d+)\b/;
const jsonPointer =
    /(?:(?:the rule )?\bat )?\/applinks\/details\/(?<entry>\d+)(?:\/components\/(?<rule>\d+))?(?:\/[\w#?~]+)*/;
const places = new RegExp(`${ruleNumber.source}|${jsonPointer.source}`, "gi");

function linkToOwn(words, number, element, draft) {
    const rule = entriesOfDetails(draft)[element]?.rules?.[number - 1];
    return rule ? linkWith(words, `#rule-${rule.id}`) : null;
}

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
