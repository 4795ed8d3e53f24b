import { part } from "../../../../shared/page/template.js";
import { patternText } from "../../../../shared/words/pattern.js";
import { QueryFields } from "./query-fields.js";

/** The fields of a rule's form. */
export class RuleFields {
    #form;
    #query;

    constructor(form, fields) {
        this.#form = form;
        this.#query = new QueryFields(part(form, "query"));
        this.show(fields);
        for (const name of ["input", "change", "click"]) form.addEventListener(name, () => this.#describe());
    }

    show({ path, query, fragment, exclude, caseSensitive, percentEncoded, comment }) {
        const { elements } = this.#form;
        this.#query.show(query ?? null);
        elements.path.value = path ?? "";
        elements.fragment.value = fragment ?? "";
        elements.comment.value = comment ?? "";
        elements.caseSensitive.value = String(caseSensitive ?? "");
        elements.percentEncoded.value = String(percentEncoded ?? "");
        elements.effect.value = exclude ? "excluded" : "opens";
        this.#describe();
    }

    /** Null for those not set, because a file does not need `"exclude": false`. */
    get values() {
        const { path, fragment, caseSensitive, percentEncoded, comment, effect } = this.#form.elements;
        return {
            path: text(path),
            query: this.#query.value,
            fragment: text(fragment),
            exclude: effect.value === "excluded" || null,
            caseSensitive: choice(caseSensitive),
            percentEncoded: choice(percentEncoded),
            comment: text(comment),
        };
    }

    get missingQuery() {
        return this.#query.missing;
    }

    /** The fields behind "More" that are set, so that a closed form hides nothing. */
    #describe() {
        const { query, fragment, caseSensitive, percentEncoded, comment } = this.values;
        const set = [
            (query !== null || fragment !== null) && patternText({ path: "", query, fragment }),
            comment !== null && "comment",
            caseSensitive !== null && "case",
            percentEncoded !== null && "encoding",
        ].filter(Boolean);
        part(this.#form, "more-set").textContent = set.length ? `: ${set.join(", ")}` : "";
    }
}

function text(control) {
    return control.value.trim() || null;
}

function choice(select) {
    return { true: true, false: false }[select.value] ?? null;
}
