import { at } from "../../../shared/api/api.js";
import { Problem } from "../../../shared/api/problem.js";

/** The edits of a draft. Each function returns an edit for `DraftDocument.change`. */

export function addRule(fields, { entry, position }) {
    return (document) => document.post("/rules", { ...fields, entry, ...(position !== undefined && { position }) });
}

export function changeRule(id, fields) {
    return (document) => {
        present(document.find(id), "This rule has been deleted in the meantime.");
        return document.patch(at`/rules/${id}`, fields);
    };
}

export function addEntry(apps) {
    return rewriting((draft) => void draft.entries.push({ apps, rules: [] }));
}

export function setApps(entryID, apps) {
    return onEntry(entryID, (entry) => (entry.apps = apps));
}

/** `null` opens every URL, `[]` none. */
export function setRules(entryID, rules) {
    return onEntry(entryID, (entry) => (entry.rules = rules));
}

export function removeEntry(entryID) {
    return rewriting((draft) => ({ ...draft, entries: draft.entries.filter(({ id }) => id !== entryID) }));
}

export function nudgeEntry(entryID, by) {
    return rewriting(({ entries }) => {
        const entry = present(entries.find(({ id }) => id === entryID), "This entry has been deleted in the meantime.");
        const from = entries.indexOf(entry);
        entries.splice(from, 1);
        entries.splice(Math.max(from + by, 0), 0, entry);
    });
}

/** Sets the parts of the draft other than its entries: services, variables, and whether comments are published. */
export function setParts(parts) {
    return rewriting((draft) => ({ ...draft, ...parts }));
}

/** Replaces the draft with a version, or with the live one (`"live"`). */
export function resetDraft(version) {
    return (document) => document.post("/draft/resets", { version });
}

/**
 * Entries and rules that the draft already has keep their IDs and comments. `query` can have `register`, which also
 * registers unknown apps, and `dryRun`, which changes nothing.
 */
export function importFile(bytes, query) {
    return (document) => document.post("/import", undefined, { bytes, query });
}

/** An edit that writes the whole draft, as changed by `rewrite`. */
export function rewriting(rewrite) {
    return (document) => document.put(rewrite);
}

function onEntry(entryID, rewrite) {
    return rewriting((draft) => {
        rewrite(present(draft.entries.find(({ id }) => id === entryID), "This entry has been deleted in the meantime."));
    });
}

/** The value. Throws if another user has deleted it. */
export function present(value, complaint) {
    if (!value) throw new Problem({ code: "gone", title: "Gone", detail: complaint });
    return value;
}
