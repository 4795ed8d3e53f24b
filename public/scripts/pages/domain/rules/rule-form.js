import { announce } from "../../../components/announce.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { Problem } from "../../../shared/api/problem.js";
import { clone, part, uniqueIDs } from "../../../shared/page/template.js";
import { applyOrAsk } from "../draft/conflict.js";
import { addRule, changeRule } from "../draft/edits.js";
import { closesOnEscape } from "./form-escape.js";
import { patternText } from "../../../shared/words/pattern.js";
import { QueryFields } from "./query-fields.js";
import { followMatch } from "./rule-match.js";

/**
 * The form of one rule, new or existing. Saving sends only the changed fields, so another user's change to another
 * field of the same rule survives. `made`, `{ url, leftOut }`, is the URL that the rule was made from.
 */
export function openRuleForm(page, { rule = null, fields, entryID, made = null, close }) {
    const form = uniqueIDs(clone("rule-form", { title: rule ? "Edit rule" : "New rule" }));
    const query = new QueryFields(part(form, "query"), fields.query ?? null);
    let known = rule;
    const closing = new AbortController();
    const closeForm = () => (closing.abort(), close());
    fillIn(form, fields);
    offerEntries(part(form, "entry-field"), page, entryID);
    const opened = read(form, query);
    const { signal } = closing;
    page.document.addEventListener("change", () => offerEntries(part(form, "entry-field"), page), { signal });
    if (made) followMatch(page, form, made, () => read(form, query));

    onSubmit(form, async () => {
        requireQuery(query, !known || differs(query.value, opened.query));
        let added = null;
        const edit = async (draftDocument) => {
            const entry = form.elements.entry.value;
            const fields = read(form, query);
            const editNow = known
                ? changeRule(known.id, changes(opened, fields, entry !== entryID && { entry }))
                : addRule(withoutNulls(fields), { entry });
            const answer = await editNow(draftDocument);
            if (!known) added = answer.body.id;
            return answer;
        };
        try {
            const isSaved = await applyOrAsk(page.document, edit, form, () => whatBecameOf(known, page.document));
            closeForm();
            if (isSaved && added) tellPlace(page.document, added);
        } catch (problem) {
            if (problem.code === "gone") known = offerAsNew(form);
            throw problem;
        }
    });
    part(form, "cancel").addEventListener("click", closeForm);
    closesOnEscape(form, closeForm);
    return form;
}

/** Says how another user has changed the edited rule, before this change overwrites it. */
function whatBecameOf(rule, draftDocument) {
    if (!rule) return null;
    const now = draftDocument.find(rule.id)?.rule;
    if (!now) return "The other user deleted this rule.";
    return differs(now, rule) ? `The other user changed this rule too; it is now ${patternText(now)}.` : null;
}

/** The fields that have changed since the form was opened. */
function changes(opened, fields, moved) {
    const changed = Object.entries(fields).filter(([name, value]) => differs(value, opened[name]));
    return { ...Object.fromEntries(changed), ...moved };
}

/** The fields of the form; null for those not set, because a file does not need `"exclude": false`. */
function read(form, query) {
    const { path, fragment, caseSensitive, percentEncoded, comment, effect } = form.elements;
    return {
        path: text(path),
        query: query.value,
        fragment: text(fragment),
        exclude: effect.value === "excluded" || null,
        caseSensitive: choice(caseSensitive),
        percentEncoded: choice(percentEncoded),
        comment: text(comment),
    };
}

function fillIn(form, { path, fragment, exclude, caseSensitive, percentEncoded, comment }) {
    const { elements } = form;
    elements.path.value = path ?? "";
    elements.fragment.value = fragment ?? "";
    elements.comment.value = comment ?? "";
    elements.caseSensitive.value = String(caseSensitive ?? "");
    elements.percentEncoded.value = String(percentEncoded ?? "");
    elements.effect.value = exclude ? "excluded" : "opens";
    part(form, "more").open = [caseSensitive, percentEncoded].some((each) => typeof each === "boolean");
}

/** An unchanged query may be one that this form cannot express. */
function requireQuery({ missing }, isChanged) {
    if (!missing || !isChanged) return;
    throw new Problem({ code: "invalid", errors: [{ pointer: "/query", detail: missing }] });
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

function text(control) {
    return control.value.trim() || null;
}

function choice(select) {
    return { true: true, false: false }[select.value] ?? null;
}

function differs(one, other) {
    return JSON.stringify(one) !== JSON.stringify(other);
}

function withoutNulls(fields) {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
