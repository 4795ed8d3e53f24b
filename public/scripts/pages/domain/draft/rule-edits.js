import { at } from "../../../shared/api/api.js";
import { present, rewriting } from "./edits.js";

/** Edits of several rules, by their IDs. Each is one change of the draft. A rule that no longer exists is skipped. */

const gone = "This rule has been deleted in the meantime.";

export function removeRules(ids) {
    if (ids.length === 1) return (document) => (document.find(ids[0]) ? document.delete(at`/rules/${ids[0]}`) : null);
    return onLists(ids, (rules, isChosen) => rules.filter((rule) => !isChosen(rule)));
}

/** The copies follow the last of the rules in each entry. */
export function duplicateRules(ids) {
    return onLists(ids, (rules, isChosen) => {
        const copies = rules.filter(isChosen).map(({ id, ...fields }) => fields);
        return rules.toSpliced(rules.findLastIndex(isChosen) + 1, 0, ...copies);
    });
}

/** Lets the rules keep their URLs on the web, or open the app. */
export function excludeRules(ids, exclude) {
    if (ids.length === 1) {
        return (document) => {
            present(document.find(ids[0]), gone);
            return document.patch(at`/rules/${ids[0]}`, { exclude: exclude || null });
        };
    }
    return onLists(ids, (rules, isChosen) =>
        rules.map((rule) => (isChosen(rule) ? { ...rule, exclude: exclude || null } : rule)),
    );
}

/** Moves the rules one place up (-1) or down (+1), as far as their entry allows. */
export function nudgeRules(ids, by) {
    if (ids.length > 1) return onLists(ids, (rules, isChosen) => nudged(rules, isChosen, by));
    return (document) => {
        const { entry, position } = present(document.find(ids[0]), gone);
        const wanted = Math.min(Math.max(position + by, 0), entry.rules.length - 1);
        return wanted === position ? null : document.patch(at`/rules/${ids[0]}`, { position: wanted });
    };
}

function nudged(rules, isChosen, by) {
    const result = by < 0 ? [...rules] : rules.toReversed();
    for (let index = 1; index < result.length; index++) {
        if (!isChosen(result[index]) || isChosen(result[index - 1])) continue;
        [result[index - 1], result[index]] = [result[index], result[index - 1]];
    }
    return by < 0 ? result : result.toReversed();
}

/** Moves the rules to a position among the other rules of an entry. */
export function moveRules(ids, { entry: target, position }) {
    if (ids.length > 1) return rewriting((draft) => moveIn(draft, ids, target, position));
    return (document) => {
        const found = present(document.find(ids[0]), gone);
        const isOther = found.entry.id !== target;
        return document.patch(at`/rules/${ids[0]}`, { position, ...(isOther && { entry: target }) });
    };
}

function moveIn(draft, ids, target, position) {
    const moved = draft.entries.flatMap(({ rules }) => (rules ?? []).filter(({ id }) => ids.includes(id)));
    for (const entry of draft.entries) entry.rules &&= entry.rules.filter(({ id }) => !ids.includes(id));
    const { rules } = present(draft.entries.find(({ id }) => id === target), "This entry has been deleted in the meantime.");
    rules.splice(position, 0, ...moved);
}

function onLists(ids, change) {
    const isChosen = ({ id }) => ids.includes(id);
    return rewriting((draft) => {
        for (const entry of draft.entries) if (entry.rules?.some(isChosen)) entry.rules = change(entry.rules, isChosen);
    });
}
