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
 * The form of one rule, new or existing. Saving sends only what was changed here, so that somebody else's change to
 * another field of the same rule survives. `made`, `{ url, leftOut }`, is the URL that the rule is to take.
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

/** Somebody else's change to the very rule that is edited here is worth knowing before one's own goes over it. */
function whatBecameOf(rule, draftDocument) {
    if (!rule) return null;
    const now = draftDocument.find(rule.id)?.rule;
    if (!now) return "They have deleted this rule.";
    return differs(now, rule) ? `They have changed this very rule; it reads ${patternText(now)} now.` : null;
}

/** What is different now from when the form was opened. */
function changes(opened, fields, moved) {
    const changed = Object.entries(fields).filter(([name, value]) => differs(value, opened[name]));
    return { ...Object.fromEntries(changed), ...moved };
}

/** What the form says. What is not said is null: a file has no need of `"exclude": false`. */
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

/** A query that was left as it is may be what a page cannot make. */
function requireQuery({ missing }, isChanged) {
    if (!missing || !isChanged) return;
    throw new Problem({ code: "invalid", errors: [{ pointer: "/query", detail: missing }] });
}

/** A new exclusion is put first, where it counts: nobody should have to look for it. */
function tellPlace(draftDocument, ruleID) {
    const { rule, entry, position } = draftDocument.find(ruleID) ?? {};
    if (!rule?.exclude || entry.rules.length === 1) return;
    const place = `is rule ${position + 1} of ${entry.rules.length}`;
    announce(`${patternText(rule)} ${place}. A new exclusion goes above the rules that open URLs; move it if it should not.`);
}

/** The entry chosen stays chosen while it exists. */
function offerEntries(field, { document, apps }, chosen = field.querySelector("select").value) {
    const { entries } = document.draft;
    field.hidden = entries.length < 2;
    const name = (entry, index) => `${index + 1}. ${entry.apps.map((appID) => apps.name(appID)).join(", ")}`;
    const options = entries.map((entry, index) => new Option(name(entry, index), entry.id));
    field.querySelector("select").replaceChildren(...options);
    field.querySelector("select").value = entries.some(({ id }) => id === chosen) ? chosen : entries[0]?.id ?? "";
}

/** The rule is gone: what was typed can still become a new one. */
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
