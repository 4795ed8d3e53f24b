import { count } from "../../../shared/words/numbers.js";
import { patternText } from "../../../shared/words/pattern.js";
import { same } from "./same.js";

/** What a change of the draft did, for "Undone: …". */
export function stepWords(before, after) {
    const [old, now] = [rulesByID(before), rulesByID(after)];
    const added = [...now.keys()].filter((id) => !old.has(id));
    const deleted = [...old.keys()].filter((id) => !now.has(id));
    const edited = [...now.keys()].filter((id) => old.has(id) && !same(old.get(id), now.get(id)));
    const kinds = [["added", added, now], ["deleted", deleted, old], ["edited", edited, now]];
    const changed = kinds.filter(([, ids]) => ids.length);
    if (!same(withoutRules(before), withoutRules(after)) || changed.length > 1) return "change of the draft";
    if (changed.length === 0) return "rules moved";
    const [[verb, ids, rules]] = changed;
    return ids.length > 1 ? `${count(ids.length, "rule")} ${verb}` : `rule ${patternText(rules.get(ids[0]))} ${verb}`;
}

function rulesByID({ entries }) {
    return new Map(entries.flatMap(({ rules }) => (rules ?? []).map((rule) => [rule.id, rule])));
}

function withoutRules({ entries, revision, updatedAt, ...parts }) {
    return { ...parts, entries: entries.map(({ rules, ...entry }) => ({ ...entry, isOpen: !rules })) };
}
