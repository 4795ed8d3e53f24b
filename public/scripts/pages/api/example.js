import { objectIn } from "./schema-words.js";

const secret = /code|token/i;

/** An example of an operation's request, as `curlCommand` takes it. `organization` is the reader's, or null. */
export function exampleRequest(operation, contract, organization) {
    const { method, path, parameters, requestBody, security = [] } = operation;
    const values = parameters.filter(({ in: place }) => place === "path").map((each) => [each.name, valueOf(each)]);
    const filled = values.reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
    const needed = parameters.filter(({ in: place, required }) => place === "query" && required);
    const names = parameters.map(({ name }) => name);
    return {
        method,
        path: filled,
        query: Object.fromEntries(needed.map((each) => [each.name, valueOf(each)])),
        ifMatch: parameters.some(({ name, required }) => name === "If-Match" && required) ? "*" : undefined,
        organization: names.includes("Waymark-Organization") ? organization : null,
        token: security.length > 0,
        ...body(requestBody),
    };

    function valueOf({ name, example, schema }) {
        const found = contract.resolved(schema);
        return example ?? schema?.examples?.[0] ?? found?.examples?.[0] ?? found?.enum?.[0] ?? usual(name, found);
    }

    function body(given) {
        const [[type, { schema, example, examples } = {}] = []] = Object.entries(given?.content ?? {});
        if (!type) return {};
        if (type !== "application/json") return { file: "apple-app-site-association" };
        const [first] = Object.values(examples ?? {});
        return { body: example ?? contract.resolved(first)?.value ?? sample(schema) };
    }

    /** Only the required fields. */
    function sample(schema) {
        const found = contract.resolved(schema);
        if (found?.default !== undefined) return found.default;
        if (found?.examples) return found.examples[0];
        if (found?.enum) return found.enum[0];
        if (found?.type === "array") return found.items ? [sample(found.items)] : [];
        const object = objectIn(schema, contract);
        if (!object?.properties) return usual("", found);
        const required = object.required ?? [];
        return Object.fromEntries(required.map((name) => [name, sample(object.properties[name])]));
    }
}

function usual(name, schema) {
    if (schema?.type === "integer") return 1;
    if (schema?.type === "boolean") return true;
    if (schema?.format === "date-time") return "2030-01-31T09:00:00Z";
    return secret.test(name) ? "…" : name ? name.toUpperCase().replaceAll("-", "_") : "…";
}
