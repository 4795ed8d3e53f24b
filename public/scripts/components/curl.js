import { announce } from "./announce.js";

/** The requests that the finder offers to copy: `{ words, request }`. */
const offered = new Set();

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
        body !== undefined && `-d ${quoted(JSON.stringify(body))}`,
        file && `-H 'Content-Type: application/octet-stream'`,
        file && `--data-binary ${quoted(`@${file}`)}`,
    ]
        .filter(Boolean)
        .join(" \\\n  ");
}

/**
 * Offers a request of this page, in the finder and with a button if there is one: "Copy as curl". `request()` returns
 * the request as it is now, as `curlCommand` takes it. `words` says what it does: "publish this draft".
 *
 * Returns a function that takes the offer back.
 */
export function offerCurl(words, request, button = null) {
    const offer = { words, request };
    offered.add(offer);
    button?.addEventListener("click", () => copyCurl(offer));
    return () => offered.delete(offer);
}

export function curlRequests() {
    return [...offered];
}

/** Copies a request, and says so. Browsers allow this only over https and on localhost. */
export async function copyCurl({ request }) {
    try {
        await navigator.clipboard.writeText(curlCommand(request()));
        announce("Copied. Put an API token into $WAYMARK_TOKEN, then run it in a terminal.");
    } catch {
        announce("The browser did not allow copying. Waymark must be opened over https.");
    }
}

/** Text in single quotes for a POSIX shell. */
function quoted(text) {
    return `'${text.replaceAll("'", `'\\''`)}'`;
}
