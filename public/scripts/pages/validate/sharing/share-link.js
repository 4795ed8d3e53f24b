import { AssociationFile, base64, fromBase64, maximumBytes } from "../../../shared/files/association-file.js";

/** Browsers accept longer addresses, but many programs that send links do not. */
const longest = 60_000;
const maximumText = 4 * maximumBytes;

/** A link that cannot be created or read; the message is for users. */
export class LinkProblem extends Error {}

/**
 * The input `{ file, urls, host, system }` as the fragment of an address: JSON, deflated (RFC 1951), in base64url
 * (RFC 4648, section 5). Throws a `LinkProblem` if it is too large.
 */
export async function fragmentOf({ file, urls, host, system }) {
    const json = JSON.stringify({ ...file.json, urls, host, system });
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(json), maximumText);
    const fragment = base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    if (fragment.length > longest) throw new LinkProblem("This is too large for a link. Send the file instead.");
    return fragment;
}

/** The reverse. Returns the input, or throws a `LinkProblem` for any other fragment. */
export async function stateOf(fragment) {
    if (fragment.length > longest) {
        throw new LinkProblem("This link is too long. Ask for the file instead.");
    }
    try {
        const bytes = fromBase64(fragment.replaceAll("-", "+").replaceAll("_", "/"));
        const json = new TextDecoder("utf-8", { fatal: true }).decode(
            await through(new DecompressionStream("deflate-raw"), bytes, maximumText),
        );
        return checked(JSON.parse(json));
    } catch {
        throw new LinkProblem("This link is broken. Its end may be missing. Ask for it again.");
    }
}

function checked({ aasa, aasaBase64, urls, host, system }) {
    if (![urls, host, system].every((text) => typeof text === "string")) throw new TypeError("a part is missing");
    return { file: AssociationFile.fromJSON({ aasa, aasaBase64 }), urls, host, system };
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
