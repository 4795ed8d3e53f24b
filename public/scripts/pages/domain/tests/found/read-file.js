import { bytes } from "../../../../shared/words/numbers.js";
import { AccessLog, isLogLine } from "./access-log.js";
import { FileProblem, FoundURLs } from "./found-urls.js";
import { readSitemap } from "./sitemap.js";

/** The largest file, and the most that it may unpack to. */
const maximumFile = 50 * 1_048_576;
const maximumUnpacked = 200 * 1_048_576;
const longestLine = 1_048_576;
const head = 65_536;

/** `tests` (CSV or JSON), `sitemap`, `log`, or `list` for one URL or path per line. */
export async function kindOf(file) {
    let text = "";
    for await (const piece of pieces(file)) {
        text += piece;
        if (text.length >= head) break;
    }
    const lines = text.trimStart().slice(0, head).split("\n", 20);
    if (lines[0].startsWith("<")) return "sitemap";
    if (/^[{[]/.test(lines[0]) || /^"?\w+"?,/.test(lines[0])) return "tests";
    if (lines.some(isLogLine)) return "log";
    return /^(https?:\/\/|\/)[^\s,]*\s*$/i.test(lines[0]) ? "list" : "tests";
}

/**
 * The URLs of one host in a sitemap, an access log or a list, read here in the browser. `progress` gets the share that
 * was read. Throws a `FileProblem`.
 */
export async function readURLs(file, { kind, host, kept, progress, signal }) {
    if (file.size > maximumFile) {
        const limit = `The limit is ${bytes(maximumFile)}. Split it first.`;
        throw new FileProblem(`The file is too large: ${bytes(file.size)}. ${limit}`);
    }
    const found = new FoundURLs(host, kept);
    if (kind === "sitemap") readSitemap((await allPieces(file, signal)).join(""), found);
    else {
        const log = kind === "log" ? new AccessLog(found) : null;
        const take = (line) => (log ? log.take(line) : line.trim() && found.take(line.trim()));
        await eachLine(file, take, { progress, signal });
    }
    if (!found.size) throw new FileProblem(emptyWords(kind, host, found));
    return found;
}

function emptyWords(kind, host, { leftOut }) {
    if (leftOut.hosts) return `No URL in this file is on ${host}. All of them are on other hosts.`;
    if (kind === "sitemap") return "This sitemap lists no pages.";
    if (kind === "list") return "This file has no URLs.";
    if (!leftOut.unreadable) return "This access log has no successful requests for pages.";
    return "This access log has an unknown format. Waymark reads those of nginx, Apache and CloudFront.";
}

async function allPieces(file, signal) {
    const all = [];
    for await (const piece of pieces(file)) {
        signal?.throwIfAborted();
        all.push(piece);
    }
    return all;
}

async function eachLine(file, take, { progress, signal }) {
    let rest = "";
    let read = 0;
    for await (const piece of pieces(file)) {
        signal?.throwIfAborted();
        const lines = (rest + piece).split("\n");
        rest = lines.pop();
        if (rest.length > longestLine) throw new FileProblem("This is not a text file with lines.");
        for (const line of lines) take(line.trimEnd());
        read += piece.length;
        progress?.(Math.min(1, read / file.size));
    }
    take(rest.trimEnd());
}

/** The text in pieces, unpacked if it is compressed by gzip. */
async function* pieces(file) {
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isPacked = first === 0x1f && second === 0x8b;
    const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let size = 0;
    try {
        for (let step = await nextOf(reader); !step.done; step = await nextOf(reader)) {
            size += step.value.length;
            if (size > maximumUnpacked) {
                throw new FileProblem(`The file unpacks to more than ${bytes(maximumUnpacked)}. Split it first.`);
            }
            yield step.value;
        }
    } finally {
        reader.cancel().catch(() => {});
    }
}

async function nextOf(reader) {
    try {
        return await reader.read();
    } catch {
        throw new FileProblem("The file cannot be read. Is it complete?");
    }
}
