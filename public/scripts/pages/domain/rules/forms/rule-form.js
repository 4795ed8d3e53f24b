import { announce } from "../../../../components/announce.js";
import { onSubmit } from "../../../../shared/forms/form.js";
import { isTypedIn } from "../../../../shared/forms/typed-work.js";
import { Problem } from "../../../../shared/api/problem.js";
import { clone, part, uniqueIDs } from "../../../../shared/page/template.js";
import { applyOrAsk } from "../../draft/conflict.js";
import { addRule, changeRule } from "../../draft/edits.js";
import { same } from "../../draft/same.js";
import { closesOnEscape } from "./form-escape.js";
import { patternText } from "../../../../shared/words/pattern.js";
import { RuleFields } from "./rule-fields.js";
import { followMatch } from "./rule-match.js";
import { followOutcome } from "./rule-outcome.js";

/**
 * The form of one rule, new or existing: `{ form, preview, judge, isChanged, end }`. A form that is unchanged follows its
 * rule. Saving sends only the changed fields, so another user's change to another field of the same rule survives. If the
 * rule has changed since the user began to type, saving asks first. `anchor`, `{ entry, isPlaced, next }`, places a new
 * rule above the rule `next` or at the end; unless `isPlaced`, the service places it. `made`, `{ url, leftOut }`, is the
 * URL that the rule was made from. `key` is the ID of a new rule in the preview. `end` stops what the form still asks for.
 */
export function openRuleForm(page, { key, rule = null, fields, anchor = null, made = null, close }) {
    const form = uniqueIDs(clone("rule-form", { title: rule ? "Edit rule" : "New rule" }));
    let entryID = rule ? page.document.find(rule.id).entry.id : anchor.entry;
    const input = new RuleFields(form, fields);
    let known = rule;
    const closing = new AbortController();
    const closeForm = (saved) => (closing.abort(), close(saved));
    offerEntries(part(form, "entry-field"), page, entryID);
    let opened = input.values;
    const { signal } = closing;
    const isChanged = () => isTypedIn(form) || !same(input.values, opened) || form.elements.entry.value !== entryID;
    const follow = () => {
        const now = known && !isChanged() && page.document.find(known.id);
        if (now) {
            known = now.rule;
            entryID = now.entry.id;
            input.show(known);
            opened = input.values;
        }
        offerEntries(part(form, "entry-field"), page, now ? entryID : undefined);
    };
    page.document.addEventListener("change", follow, { signal });
    if (made) followMatch(page, form, made, () => input.values);

    onSubmit(form, async () => {
        let added = null;
        const edit = async (draftDocument) => {
            const entry = form.elements.entry.value;
            const now = draftDocument.find(known?.id)?.rule;
            if (now && !same(now, known)) throw new Problem({ status: 412 });
            const editNow = known
                ? changeRule(known.id, changes(opened, input.values, entry !== entryID && { entry }))
                : addRule(withoutNulls(input.values), { entry, position: placeOf(anchor, entry, draftDocument) });
            const answer = await editNow(draftDocument);
            if (!known) added = answer.body.id;
            return answer;
        };
        try {
            requireQuery(input, !known || !same(input.values.query, opened.query));
            const isSaved = await applyOrAsk(page.document, edit, form, () => {
                const theirs = whatBecameOf(known, page.document);
                known = page.document.find(known?.id)?.rule ?? known;
                return theirs;
            });
            closeForm(isSaved ? (added ?? known?.id) : null);
            if (isSaved && added && !anchor?.isPlaced) tellPlace(page.document, added);
        } catch (problem) {
            if (problem.code === "gone") known = offerAsNew(form);
            if (problem.errors?.some(({ pointer }) => pointer !== "/path")) part(form, "more").open = true;
            throw problem;
        }
    });
    part(form, "cancel").addEventListener("click", () => closeForm());
    closesOnEscape(form, closeForm);
    return {
        form,
        preview: (draft) => preview(draft, known ?? { id: key }, input.values, form, anchor),
        isChanged,
        end: () => closing.abort(),
        judge: followOutcome(page, form, signal, () => ({ id: known?.id ?? key, ...input.values })),
    };
}

/** Applies unsaved input to a draft, as saving does. An empty new rule changes nothing. */
function preview(draft, { id, extras }, values, form, anchor) {
    const entry = draft.entries.find((each) => each.id === form.elements.entry.value);
    const holder = draft.entries.find(({ rules }) => rules?.some((rule) => rule.id === id));
    if (!entry || (!holder && same([values.path, values.query, values.fragment], [null, null, null]))) return;
    const former = holder?.rules.find((rule) => rule.id === id);
    const rule = { ...former, extras, id };
    for (const [name, value] of Object.entries(values)) {
        if (value === null) delete rule[name];
        else rule[name] = value;
    }
    if (!extras) delete rule.extras;
    if (former && holder === entry) return Object.assign(holder.rules, { [holder.rules.indexOf(former)]: rule });
    if (holder) holder.rules = holder.rules.filter((each) => each !== former);
    entry.rules ??= [];
    const isFirst = rule.exclude && !former && !anchor?.isPlaced;
    const next = isFirst ? 0 : entry.rules.findIndex((each) => each.id === anchor?.next);
    entry.rules.splice(next < 0 ? entry.rules.length : next, 0, rule);
}

/** The position above the anchor's rule, or the end; undefined if the service chooses it. */
function placeOf(anchor, entryID, draftDocument) {
    if (!anchor?.isPlaced || anchor.entry !== entryID) return undefined;
    return draftDocument.find(anchor.next)?.position ?? draftDocument.entry(entryID)?.rules?.length;
}

/** Says how the edited rule has changed, before this change overwrites it. */
function whatBecameOf(rule, draftDocument) {
    if (!rule) return null;
    const now = draftDocument.find(rule.id)?.rule;
    if (!now) return "The rule was deleted.";
    return same(now, rule) ? null : `This rule has changed too: it is now ${patternText(now)}.`;
}

/** The fields that have changed since the form was opened. */
function changes(opened, fields, moved) {
    const changed = Object.entries(fields).filter(([name, value]) => !same(value, opened[name]));
    return { ...Object.fromEntries(changed), ...moved };
}

/** An unchanged query may be one that this form cannot express. */
function requireQuery({ missingQuery }, isChanged) {
    if (!missingQuery || !isChanged) return;
    throw new Problem({ code: "invalid", errors: [{ pointer: "/query", detail: missingQuery }] });
}

/** Says where a new exclusion was placed: above the rules that open URLs. */
function tellPlace(draftDocument, ruleID) {
    const { rule, entry, position } = draftDocument.find(ruleID) ?? {};
    if (!rule?.exclude || entry.rules.length === 1) return;
    const place = `Added as rule ${position + 1} of ${entry.rules.length}: ${patternText(rule)}.`;
    announce(`${place} A new exclusion goes above the rules that open URLs. You can move it.`);
}

/** Keeps the chosen entry while it exists. */
function offerEntries(field, { document, apps }, chosen = field.querySelector("select").value) {
    const { entries } = document.draft;
    field.hidden = entries.length < 2;
    const name = (entry, index) => `${index + 1}. ${entry.apps.map((appID) => apps.name(appID)).join(", ")}`;
    const options = entries.map((entry, index) => new Option(name(entry, index), entry.id));
    field.querySelector("select").replaceChildren(...options);
    field.querySelector("select").value = entries.some(({ id }) => id === chosen) ? chosen : entries[0]?.id ?? "";
}

/** The rule was deleted: the input can still become a new rule. */
function offerAsNew(form) {
    part(form, "title").textContent = "New rule";
    part(form, "save").textContent = "Add as a new rule";
    return null;
}

function withoutNulls(fields) {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
