/** The type of a schema in words: "string", "array of Rule", "Host or null". `contract` resolves references. */
export function typeWords(schema, contract) {
    if (!schema) return "";
    if (schema.$ref) return schema.$ref.split("/").pop();
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants) return [...new Set(variants.map((each) => typeWords(each, contract)))].join(" or ");
    if (schema.type === "array") return `array of ${typeWords(schema.items, contract) || "anything"}`;
    if (schema.format === "date-time") return [schema.type].flat().join(" or ").replace("string", "time");
    return [schema.type ?? (schema.enum ? "string" : "any")].flat().join(" or ");
}

/** The limits of a value: its choices, size, pattern and default. */
export function limitWords(schema, contract) {
    const { enum: choices, minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, ...rest } =
        contract.resolved(schema) ?? {};
    return [
        choices && `One of ${choices.map((each) => JSON.stringify(each)).join(", ")}.`,
        range(minLength, maxLength, "characters"),
        range(minimum, maximum, ""),
        range(minItems, maxItems, "items"),
        pattern && !choices && `Pattern ${pattern}`,
        rest.default !== undefined && `Default ${JSON.stringify(rest.default)}.`,
    ]
        .filter(Boolean)
        .join(" ");
}

function range(from, to, noun) {
    const end = noun ? ` ${noun}.` : ".";
    if (from !== undefined && to !== undefined) return `${from} to ${to}${end}`;
    if (to !== undefined) return `At most ${to}${end}`;
    return from ? `At least ${from}${end}` : null;
}

/** The object with fields inside a schema: itself, or of a list's items, or of one of two variants; else null. */
export function objectIn(schema, contract) {
    const found = contract.resolved(schema);
    if (!found) return null;
    if (found.properties || found.allOf) return found;
    if (found.items) return objectIn(found.items, contract);
    const variants = (found.anyOf ?? found.oneOf ?? []).map((each) => objectIn(each, contract)).filter(Boolean);
    if (variants.length > 1) return { variants };
    if (variants.length === 1) return variants[0];
    return typeof found.additionalProperties === "object" ? objectIn(found.additionalProperties, contract) : null;
}
