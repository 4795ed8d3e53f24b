import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { bytes, count } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { takesFile } from "../../../components/file-drop.js";
import { FileProblem } from "./found/found-urls.js";
import { kindOf } from "./found/read-file.js";
import { importSummary } from "./import-words.js";
import { openURLsOfFile } from "./url-import.js";

/** The most errors of a file that are shown. */
const maximumFaults = 10;
/** The most sitemaps of an index that are listed. */
const maximumSitemaps = 50;
/** The largest file of tests, in bytes. */
const maximumTests = 8 * 1_048_576;
const tooLarge = `The file is too large: the limit for tests is ${bytes(maximumTests)}.`;

/**
 * Imports tests from CSV or JSON, or URLs to make tests of from a sitemap, an access log or a list: pasted, dropped or
 * chosen. Then runs `imported`.
 */
export function openTestImport(page, imported) {
    const { dialog, part } = openDialog("test-import");
    const form = part("form");
    const { file, replace } = form.elements;
    const openURLs = (source, kind) => openURLsOfFile(page, { dialog, source, kind }, imported);
    takesFile(part("drop"), part("choose"), async (chosen) => {
        part("file-problem").hidden = true;
        try {
            const kind = await kindOf(chosen);
            if (kind !== "tests") return await openURLs(chosen, kind);
            if (chosen.size > maximumTests) throw new FileProblem(tooLarge);
            file.value = await chosen.text();
            file.focus();
        } catch (error) {
            showFileProblem(dialog, error);
        }
    });
    onSubmit(form, async () => {
        part("file-problem").hidden = true;
        const pasted = new Blob([file.value]);
        const kind = await kindOf(pasted);
        if (kind !== "tests") return openURLs(pasted, kind).catch((error) => showFileProblem(dialog, error));
        const encoded = new TextEncoder().encode(file.value);
        const query = replace.checked ? { replace: true } : {};
        const request = page.api.post(at`/domains/${page.host}/test-imports`, undefined, { bytes: encoded, query });
        const { body } = await request.catch(withLines);
        dialog.close();
        announce(importSummary(body));
        await imported();
    });
}

/** Why a file cannot be used, and the sitemaps that an index lists. */
function showFileProblem(dialog, error) {
    if (error.name === "AbortError") return;
    part(dialog, "file-problem").hidden = false;
    part(dialog, "file-problem-words").textContent = error instanceof FileProblem ? error.message : words(error);
    const links = (error.sitemaps ?? []).slice(0, maximumSitemaps).map((address) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        Object.assign(link, { href: address, textContent: address, target: "_blank", rel: "noopener noreferrer" });
        item.append(link);
        return item;
    });
    part(dialog, "sitemaps").replaceChildren(...links);
}

/** Puts the errors of a file, with their lines, into one problem: nothing was imported. */
function withLines(problem) {
    if (!problem.errors.some(({ line }) => line)) throw problem;
    const told = problem.errors.slice(0, maximumFaults).map(faultText);
    const others = problem.errors.length - told.length;
    if (others) told.push(`And ${count(others, "more error")}.`);
    problem.errors = [];
    problem.detail = ["Nothing was imported.", ...told].join(" ");
    throw problem;
}

/** `/tests/0/url` "is not on www.example.com": "Line 2: url is not on www.example.com." */
function faultText({ line, pointer, detail }) {
    const name = /^\/tests\/\d+\/(.+)$/.exec(pointer)?.[1].replaceAll("/", " ");
    return `Line ${line}: ${name ?? (pointer ? "the test" : "the file")} ${detail}.`;
}
