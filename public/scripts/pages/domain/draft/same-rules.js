import { same } from "./same.js";

/**
 * Gives the entries and rules of a file the IDs that they have in the draft, as an import of the file does. A rule that
 * was edited in the file has its ID too, if as many rules were edited as are missing.
 */
export function keepIdentity(file, draft) {
    const left = [...draft.entries];
    for (const entry of file.entries) {
        const index = left.findIndex(({ apps }) => same(apps, entry.apps));
        const [known] = index < 0 ? [] : left.splice(index, 1);
        if (!known) continue;
        entry.id = known.id;
        if (entry.rules && known.rules) keepRules(entry.rules, known.rules);
    }
}

function keepRules(rules, former) {
    const left = [...former];
    const edited = rules.filter((rule) => {
        const index = left.findIndex((known) => same(said(known), said(rule)));
        if (index >= 0) rule.id = left.splice(index, 1)[0].id;
        return index < 0;
    });
    if (edited.length === left.length) edited.forEach((rule, index) => (rule.id = left[index].id));
}

/** What a rule says in the file. */
function said({ id, comment, ...fields }) {
    return Object.entries(fields).sort();
}
