import { showErrors } from "../shared/forms/field-errors.js";
import { Problem, words } from "../shared/api/problem.js";
import { announce } from "./announce.js";

/** The most bytes of a body in one argument of a command: Linux allows 128 KiB. */
const longestArgument = 100_000;

/**
 * A request of the API as a command for a terminal, on this page's host. The token is in a variable of the shell, so it
 * reaches neither the clipboard nor the shell's history.
 *
 *     curlCommand({ method: "POST", path: at`/domains/${host}/publications`, body: { message: "Launch" } })
 *
 * `path` is below `/v1`, unless it begins with it. `body` is any JSON; `file` is the name of a file to send instead.
 * `ifMatch` is the ETag that the request needs; `organization` names the organization. `token: false` leaves the token
 * out, for a request that needs none.
 */
export function curlCommand({ method = "GET", path, query, body, file, ifMatch, organization, token = true }) {
    const address = new URL(/^\/(v1|internal)\//.test(path) ? path : `/v1${path}`, location.origin);
    for (const [name, value] of Object.entries(query ?? {})) {
        if (value !== null && value !== undefined) address.searchParams.append(name, value);
    }
    return [
        `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(address.href)}`,
        token && `-H "Authorization: Bearer $WAYMARK_TOKEN"`,
        organization && `-H ${quoted(`Waymark-Organization: ${organization}`)}`,
        ifMatch && `-H ${quoted(`If-Match: ${ifMatch}`)}`,
        body !== undefined && `-H 'Content-Type: application/json'`,
        body !== undefined && data(JSON.stringify(body)),
        file && `-H 'Content-Type: application/octet-stream'`,
        file && `--data-binary ${quoted(`@${file}`)}`,
    ]
        .filter(Boolean)
        .join(" \\\n  ");
}

/**
 * Copies a request, and says so. Browsers allow this only over https and on localhost. Returns whether it did. Missing
 * inputs of `form` are shown there.
 */
export async function copyCurl({ request }, form = null) {
    try {
        await navigator.clipboard.writeText(curlCommand(request()));
        announce("Copied. Put an API token into $WAYMARK_TOKEN, then run it in a terminal.");
        return true;
    } catch (error) {
        const isIncomplete = error instanceof Problem;
        if (isIncomplete && form) showErrors(form, error);
        const refused = "The browser did not allow copying. Waymark must be opened over https.";
        announce(isIncomplete ? (error.errors[0]?.detail ?? words(error)) : refused);
        return false;
    }
}

/** A long body is in a here-document, whose end a line of JSON cannot be. */
function data(json) {
    return json.length > longestArgument ? `--data-binary @- <<'END'\n${json}\nEND` : `-d ${quoted(json)}`;
}

/** Text in single quotes for a POSIX shell. */
function quoted(text) {
    return `'${text.replaceAll("'", `'\\''`)}'`;
}
