import { base64, fromBase64, maximumBytes } from "../../shared/files/association-file.js";

/** Browsers accept longer addresses, but many programs that send links do not. */
const longest = 60_000;
const maximumText = 4 * maximumBytes;

/** A link that cannot be created or read; the message is for users. */
export class LinkProblem extends Error {}

/**
 * The input, a JSON object, as the fragment of an address: deflated (RFC 1951), in base64url (RFC 4648, section 5).
 * Throws a `LinkProblem` if it is too large.
 */
export async function fragmentOf(state) {
    const json = new TextEncoder().encode(JSON.stringify(state));
    const bytes = await through(new CompressionStream("deflate-raw"), json, maximumText);
    const fragment = base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    if (fragment.length > longest) throw new LinkProblem("This is too large for a link. Send the file instead.");
    return fragment;
}

/** The reverse: `read(json)` of the fragment's JSON. Throws a `LinkProblem` if either fails. */
export async function stateOf(fragment, read) {
    if (fragment.length > longest) {
        throw new LinkProblem("This link is too long. Ask for the file instead.");
    }
    try {
        const bytes = fromBase64(fragment.replaceAll("-", "+").replaceAll("_", "/"));
        const text = await through(new DecompressionStream("deflate-raw"), bytes, maximumText);
        return await read(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)));
    } catch {
        throw new LinkProblem("This link is broken. Its end may be missing. Ask for it again.");
    }
}

/** The named texts of a link's JSON. Throws if one is missing. */
export function texts(json, ...names) {
    if (!names.every((name) => typeof json[name] === "string")) throw new TypeError("a part is missing");
    return Object.fromEntries(names.map((name) => [name, json[name]]));
}

/** A few bytes can inflate to very many: reading stops at the limit. */
async function through(stream, bytes, limit) {
    const chunks = [];
    let size = 0;
    for await (const chunk of pieces(new Blob([bytes]).stream().pipeThrough(stream))) {
        size += chunk.length;
        if (size > limit) throw new RangeError("too large");
        chunks.push(chunk);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Not every browser can iterate over a stream. */
async function* pieces(stream) {
    const reader = stream.getReader();
    try {
        for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
    } finally {
        await reader.cancel();
    }
}
