import { at } from "../../../shared/api/api.js";
import { Problem } from "../../../shared/api/problem.js";

/** The edits of a draft. Each function returns an edit for `DraftDocument.change`. */

export function addRule(fields, { entry, position }) {
    return (document) => document.post("/rules", { ...fields, entry, ...(position !== undefined && { position }) });
}

export function changeRule(id, fields) {
    return (document) => {
        present(document.find(id), "Another user has deleted this rule.");
        return document.patch(at`/rules/${id}`, fields);
    };
}

export function removeRule(id) {
    return (document) => (document.find(id) ? document.delete(at`/rules/${id}`) : null);
}

/** Moves a rule one place up (-1) or down (+1) from its position when the edit runs. */
export function nudgeRule(id, by) {
    return (document) => {
        const { entry, position } = present(document.find(id), "Another user has deleted this rule.");
        const wanted = Math.min(Math.max(position + by, 0), entry.rules.length - 1);
        return wanted === position ? null : document.patch(at`/rules/${id}`, { position: wanted });
    };
}

export function moveRule(id, { entry, position }) {
    return (document) => {
        const found = present(document.find(id), "Another user has deleted this rule.");
        const isOther = found.entry.id !== entry;
        return document.patch(at`/rules/${id}`, { position, ...(isOther && { entry }) });
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

export function insertEntry(entry, position) {
    return rewriting((draft) => void draft.entries.splice(position, 0, entry));
}

export function nudgeEntry(entryID, by) {
    return rewriting(({ entries }) => {
        const entry = present(entries.find(({ id }) => id === entryID), "Another user has deleted this entry.");
        const from = entries.indexOf(entry);
        entries.splice(from, 1);
        entries.splice(Math.max(from + by, 0), 0, entry);
    });
}

/** Sets the parts of the draft other than its entries: services, variables, and whether comments are published. */
export function setParts(parts) {
    return rewriting((draft) => ({ ...draft, ...parts }));
}

export function replaceDraft(former) {
    const { revision, updatedAt, ...content } = former;
    return rewriting(() => content);
}

/** Replaces the draft with a version, or with the live one (`"live"`). */
export function resetDraft(version) {
    return (document) => document.post("/draft/resets", { version });
}

export function importFile(bytes, register) {
    return (document) => document.post("/import", undefined, { bytes, query: register ? { register: true } : {} });
}

function rewriting(rewrite) {
    return (document) => document.put(rewrite);
}

function onEntry(entryID, rewrite) {
    return rewriting((draft) => {
        rewrite(present(draft.entries.find(({ id }) => id === entryID), "Another user has deleted this entry."));
    });
}

function present(value, complaint) {
    if (!value) throw new Problem({ code: "gone", title: "Gone", detail: complaint });
    return value;
}
