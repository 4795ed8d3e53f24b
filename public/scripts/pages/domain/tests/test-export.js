import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/press.js";
import { part } from "../../../shared/page/template.js";

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
