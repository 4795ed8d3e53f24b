import { offerCurl } from "../../components/curl.js";
import { curlCommand } from "../../components/curl-command.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { exampleRequest } from "./example.js";
import { field, fieldList } from "./field-list.js";
import { inline, prose } from "./inline.js";
import { objectIn, typeWords } from "./schema-words.js";

const rights = {
    anyone: "Needs no account.",
    caller: "Needs a token, or a signed-in user.",
    consumer: "Needs the credential of a consumer, which the operator sets.",
};

/** An operation with its parameters, body and responses. `neighbours` are the operations before and after it. */
export function operationView(operation, { contract, organization, neighbours }) {
    const { method, path, summary, description, right } = operation;
    const view = clone("operation", { method, path, summary, right: rights[right] ?? `Needs the role ${right} or higher.` });
    part(view, "tag").textContent = operation.tags[0];
    part(view, "method").dataset.method = method;
    part(view, "description").replaceChildren(...prose(description));
    const request = () => exampleRequest(operation, contract, organization);
    part(view, "example").textContent = curlCommand(request());
    const forget = offerCurl(`${method} ${path}`, request, part(view, "copy"));
    showParameters(view, operation, contract);
    showBody(view, operation, contract);
    part(view, "responses").append(...operation.answers.map((each) => answerRow(each, contract)));
    showNeighbour(part(view, "previous"), neighbours[0], "← ", "");
    showNeighbour(part(view, "next"), neighbours[1], "", " →");
    return { view, forget };
}

function showParameters(view, { parameters }, contract) {
    part(view, "parameters").hidden = parameters.length === 0;
    part(view, "parameter-list").append(
        ...parameters.map(({ name, schema, description, required, in: place }) =>
            field({ name, schema, description, isRequired: required, place }, contract),
        ),
    );
}

function showBody(view, { requestBody, ...operation }, contract) {
    const content = Object.entries(requestBody?.content ?? {});
    part(view, "body").hidden = content.length === 0;
    if (!content.length) return;
    const limit = operation["x-body-limit"];
    const bytes = limit ? `at most ${limit.toLocaleString("en")} bytes` : null;
    const optional = requestBody.required === false ? "optional" : null;
    fill(view, { "body-type": [content.map(([type]) => type).join(" or "), optional, bytes].filter(Boolean).join(" · ") });
    const object = objectIn(content[0][1].schema, contract);
    if (object) part(view, "body-fields").append(fieldList(object, contract));
    else part(view, "body-fields").append(...prose(contract.resolved(content[0][1].schema)?.description));
}

function answerRow({ status, description, codes, schema }, contract) {
    const row = clone("response", { status });
    part(row, "status").dataset.kind = status[0];
    part(row, "description").append(...inline(description));
    part(row, "codes").hidden = codes.length === 0;
    part(row, "codes").append(...codes.flatMap((code) => [codeElement(code), " "]));
    const object = schema && !codes.length ? objectIn(schema, contract) : null;
    if (object) {
        const details = clone("nested", { name: typeWords(schema, contract) });
        details.addEventListener("toggle", () => details.append(fieldList(object, contract)), { once: true });
        part(row, "fields").append(details);
    }
    return row;
}

function codeElement(code) {
    const element = document.createElement("code");
    element.textContent = code;
    return element;
}

function showNeighbour(link, operation, before, after) {
    link.hidden = !operation;
    if (!operation) return;
    link.href = `#${operation.operationId}`;
    link.textContent = `${before}${operation.summary}${after}`;
}
