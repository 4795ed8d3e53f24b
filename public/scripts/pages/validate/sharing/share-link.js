import { AssociationFile, base64, fromBase64, mostBytes } from "../../../shared/files/association-file.js";

/** Browsers keep longer addresses, but what people send links with does not. */
const longest = 60_000;
const mostText = 4 * mostBytes;

/** A link that cannot be made or read, in words. */
export class LinkProblem extends Error {}

/**
 * What is on the page as the part of an address behind the `#`: JSON, deflated (RFC 1951), in base64url (RFC 4648,
 * section 5). `{ file, urls, host, system }`; throws a `LinkProblem` where that is too much for a link.
 */
export async function fragmentOf({ file, urls, host, system }) {
    const json = JSON.stringify({ ...file.json, urls, host, system });
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(json), mostText);
    const fragment = base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    if (fragment.length > longest) throw new LinkProblem("This is too much for a link. Send the file itself instead.");
    return fragment;
}

/** The reverse. Whatever somebody put into an address, the answer is a state of the page or a `LinkProblem`. */
export async function stateOf(fragment) {
    if (fragment.length > longest) {
        throw new LinkProblem("This link is too long to be read. Ask for the file itself instead.");
    }
    try {
        const bytes = fromBase64(fragment.replaceAll("-", "+").replaceAll("_", "/"));
        const json = new TextDecoder("utf-8", { fatal: true }).decode(
            await through(new DecompressionStream("deflate-raw"), bytes, mostText),
        );
        return checked(JSON.parse(json));
    } catch {
        throw new LinkProblem("This link is broken: perhaps its end was cut off on the way. Ask for it again.");
    }
}

function checked({ aasa, aasaBase64, urls, host, system }) {
    if (![urls, host, system].every((text) => typeof text === "string")) throw new TypeError("a part is missing");
    return { file: AssociationFile.fromJSON({ aasa, aasaBase64 }), urls, host, system };
}

/** A few bytes can be deflated from very many: reading stops at the limit. */
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

/** Not every browser iterates over a stream by itself. */
async function* pieces(stream) {
    const reader = stream.getReader();
    try {
        for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
    } finally {
        await reader.cancel();
    }
}
