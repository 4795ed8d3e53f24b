import { clone, part } from "../../shared/page/template.js";
import { count } from "../../shared/words/numbers.js";
import { inline } from "./inline.js";
import { limitWords, objectIn, typeWords } from "./schema-words.js";

/** The fields of an object, each with its type, limits and description. Fields of fields are made when opened. */
export function fieldList(object, contract) {
    if (object.variants) return variantList(object.variants, contract);
    const parts = [object, ...(object.allOf ?? []).map((each) => contract.resolved(each))];
    const properties = Object.assign({}, ...parts.map((each) => each.properties));
    const required = parts.flatMap((each) => each.required ?? []);
    const list = document.createElement("dl");
    list.className = "api-fields";
    list.append(
        ...Object.entries(properties).map(([name, schema]) =>
            field({ name, schema, isRequired: required.includes(name) }, contract),
        ),
    );
    return list;
}

/** A field of an object, or a parameter. */
export function field({ name, schema, isRequired, description, place }, contract) {
    const row = clone("field", {
        name,
        type: [typeWords(schema, contract), place].filter(Boolean).join(" · "),
        limits: limitWords(schema, contract) || null,
    });
    const words = description ?? schema.description ?? contract.resolved(schema)?.description;
    part(row, "needed").hidden = !isRequired;
    part(row, "description").hidden = !words;
    part(row, "description").append(...inline(words ?? ""));
    const object = objectIn(schema, contract);
    if (object) row.querySelector("dd").append(nested(object, contract));
    return row;
}

function nested(object, contract) {
    const total = object.variants ? object.variants.length : Object.keys(object.properties ?? {}).length;
    const name = object.variants ? count(total, "variant") : total ? count(total, "field") : "Fields";
    const details = clone("nested", { name });
    details.addEventListener("toggle", () => details.append(fieldList(object, contract)), { once: true });
    return details;
}

function variantList(variants, contract) {
    const list = document.createElement("div");
    list.className = "stack";
    for (const [index, variant] of variants.entries()) {
        const heading = document.createElement("p");
        heading.className = "hint";
        heading.textContent = index ? "or" : "either";
        list.append(heading, fieldList(variant, contract));
    }
    return list;
}
