import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onPress, onSubmit } from "../../../shared/forms/form.js";
import { count, list, number } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";
import { takesDroppedFile } from "../../../components/file-drop.js";

/** The most errors of a file that are shown. */
const maximumFaults = 10;

/** Imports tests from CSV or JSON: pasted, dropped or chosen. Then runs `imported`. */
export function openTestImport({ api, host }, imported) {
    const { dialog, part } = openDialog("test-import");
    const form = part("form");
    const { file, replace } = form.elements;
    takesDroppedFile(part("drop"), part("choose"), (bytes) => {
        file.value = new TextDecoder().decode(bytes);
        file.focus();
    });
    onSubmit(form, async () => {
        const bytes = new TextEncoder().encode(file.value);
        const query = replace.checked ? { replace: true } : {};
        const request = api.post(at`/domains/${host}/test-imports`, undefined, { bytes, query });
        const { body } = await request.catch(withLines);
        dialog.close();
        announce(summary(body));
        await imported();
    });
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

function summary({ added, changed, removed, unchanged }) {
    const parts = Object.entries({ added, changed, removed, unchanged }).filter(([, tests]) => tests);
    if (!parts.length) return "The file has no tests.";
    return `Tests imported: ${list(parts.map(([name, tests]) => `${number(tests)} ${name}`))}.`;
}

/** Saves all tests as a file that can be imported again. */
export function offerTestExport({ api, host }, root, failed) {
    for (const format of ["csv", "json"]) {
        const action = async () => {
            const path = at`/domains/${host}/tests`;
            const { body } = await api.get(path, { query: { format }, asText: true });
            download(body, `${host}.tests.${format}`);
        };
        onPress(part(root, `export-${format}`), action, failed);
    }
}

/** The request needs headers that a link cannot send, so the answer is handed to the browser as a file. */
function download(text, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
