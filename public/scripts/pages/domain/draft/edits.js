import { at } from "../../../shared/api/api.js";
import { Problem } from "../../../shared/api/problem.js";

/** Everything that can be done to a draft by hand. Each answers an edit for `DraftDocument.change`. */

export function addRule(fields, { entry, position }) {
    return (document) => document.post("/rules", { ...fields, entry, ...(position !== undefined && { position }) });
}

export function changeRule(id, fields) {
    return (document) => {
        present(document.find(id), "Someone has deleted this rule meanwhile.");
        return document.patch(at`/rules/${id}`, fields);
    };
}

export function removeRule(id) {
    return (document) => (document.find(id) ? document.delete(at`/rules/${id}`) : null);
}

/** One place up (-1) or down (+1) from where the rule stands when its turn comes. */
export function nudgeRule(id, by) {
    return (document) => {
        const { entry, position } = present(document.find(id), "Someone has deleted this rule meanwhile.");
        const wanted = Math.min(Math.max(position + by, 0), entry.rules.length - 1);
        return wanted === position ? null : document.patch(at`/rules/${id}`, { position: wanted });
    };
}

export function moveRule(id, { entry, position }) {
    return (document) => {
        const found = present(document.find(id), "Someone has deleted this rule meanwhile.");
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

/** `null` takes every URL, `[]` none: they differ, so each is an act of its own. */
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
        const entry = present(entries.find(({ id }) => id === entryID), "Someone has deleted this entry meanwhile.");
        const from = entries.indexOf(entry);
        entries.splice(from, 1);
        entries.splice(Math.max(from + by, 0), 0, entry);
    });
}

/** Sets parts of the draft beside its entries: services, variables, whether comments are published. */
export function setParts(parts) {
    return rewriting((draft) => ({ ...draft, ...parts }));
}

export function replaceDraft(former) {
    const { revision, updatedAt, ...content } = former;
    return rewriting(() => content);
}

/** Puts the content of a version, or of the live one (`"live"`), in the place of the draft's. */
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
        rewrite(present(draft.entries.find(({ id }) => id === entryID), "Someone has deleted this entry meanwhile."));
    });
}

function present(value, complaint) {
    if (!value) throw new Problem({ code: "gone", title: "Gone", detail: complaint });
    return value;
}
