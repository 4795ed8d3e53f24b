import { count, list, number } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";
import { comparedItems } from "./found/paths.js";
import { maximumOffered } from "./found/found-urls.js";
import { readURLs } from "./found/read-file.js";
import { openTestPicker } from "./test-picker.js";

const kinds = { sitemap: "sitemap", log: "access log", list: "list of URLs" };

/**
 * Reads the URLs of a sitemap, an access log or a list in this browser, then opens the choice of those to save as tests
 * instead of `dialog`. Throws a `FileProblem`.
 */
export async function openURLsOfFile(page, { dialog, source, kind }, saved) {
    const reading = part(dialog, "reading");
    const stop = new AbortController();
    dialog.addEventListener("close", () => stop.abort());
    reading.hidden = false;
    part(dialog, "reading-words").textContent = `Reading the ${kinds[kind]}…`;
    const kept = comparedItems(page.document.draft);
    const progress = (share) => (part(dialog, "reading-share").value = share);
    try {
        const found = await readURLs(source, { kind, host: page.host, kept, progress, signal: stop.signal });
        dialog.close();
        const items = found.items.map(({ path, count: requests, isAsset }) => ({
            url: `https://${page.host}${path}`,
            count: kind === "log" ? requests : null,
            isAsset,
        }));
        const title = `URLs in ${source.name ?? `the ${kinds[kind]}`}`;
        const intro = introduction(found, { kind, kept, offered: items.length });
        openTestPicker(page, { title, intro, found: items, note: source.name ?? "the access log" }, saved);
    } finally {
        reading.hidden = true;
    }
}

const privacy =
    "The file stays in this browser. Only these URLs are sent to Waymark, to find their results. " +
    "Nothing is stored before you save.";

function queryWords(kept) {
    if (!kept.length) return "Query strings are left out, because no rule compares them.";
    return `Of query strings only ${list(kept)} is kept, because the rules compare nothing else.`;
}

function introduction({ taken, size, leftOut }, { kind, kept, offered }) {
    const noun = kind === "log" ? "request" : "URL";
    const urls = count(size, "different URL");
    const found = kind === "log" ? `${urls} in ${count(taken, "request")}, the most frequent first.` : `${urls}.`;
    const reasons = [
        [leftOut.failed, "that failed"],
        [leftOut.methods, "with other methods than GET"],
        [leftOut.hosts, "for other hosts"],
        [leftOut.long, "longer than 2,048 bytes"],
        [leftOut.rare, "for rare URLs beyond the limit"],
    ].filter(([number]) => number);
    const sentences = [found];
    if (size > offered) sentences.push(`Only the first ${number(maximumOffered)} are offered.`);
    const leftWords = reasons.map(([left, why]) => `${count(left, noun)} ${why}`);
    if (reasons.length) sentences.push(`Left out: ${list(leftWords)}.`);
    if (leftOut.unreadable) sentences.push(`${count(leftOut.unreadable, "line")} could not be read.`);
    if (kept) sentences.push(queryWords([...kept]));
    return [...sentences, privacy].join(" ");
}
