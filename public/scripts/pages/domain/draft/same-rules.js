import { same } from "./same.js";

/**
 * Gives the entries and rules of an imported draft the IDs and comments that they had in a former one: a file has no
 * IDs, and has comments only if the draft publishes them. A rule that was edited in the file keeps them too, if as many
 * rules were edited as are missing.
 */
export function keepIdentity(imported, former) {
    const hasComments = imported.publishComments || JSON.stringify(imported.entries).includes('"comment":');
    const left = [...former.entries];
    for (const entry of imported.entries) {
        const index = left.findIndex(({ apps }) => same(apps, entry.apps));
        const [known] = index < 0 ? [] : left.splice(index, 1);
        if (!known) continue;
        entry.id = known.id;
        if (entry.rules && known.rules) keepRules(entry.rules, known.rules, !hasComments);
    }
    if (!hasComments) imported.publishComments = former.publishComments;
}

function keepRules(rules, former, keepsComments) {
    const left = [...former];
    const changed = rules.filter((rule) => {
        const index = left.findIndex((known) => same(said(known), said(rule)));
        if (index >= 0) take(rule, left.splice(index, 1)[0], keepsComments);
        return index < 0;
    });
    if (changed.length === left.length) changed.forEach((rule, index) => take(rule, left[index], keepsComments));
}

function take(rule, known, keepsComments) {
    rule.id = known.id;
    if (keepsComments && known.comment) rule.comment = known.comment;
}

/** What a rule says in the file. */
function said({ id, comment, ...fields }) {
    return Object.entries(fields).sort();
}
