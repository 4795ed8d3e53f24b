import { at } from "../../../shared/api/api.js";
import { copies } from "../../../shared/page/clipboard.js";
import { openDialog } from "../../../components/dialogs.js";
import { lineElement } from "../../../components/file-line.js";
import { jsonLines } from "../../../shared/files/json-lines.js";

/** Shows the file of one version, formatted for reading. */
export async function openVersionFile({ api, host }, { version, sha256 }) {
    const { body } = await api.get(at`/domains/${host}/versions/${version}/file`);
    const { part } = openDialog("version-file", { title: `Version ${version}`, sha256: `SHA-256 ${sha256}` });
    part("lines").replaceChildren(...jsonLines(body).map(lineElement));
    copies(part("copy"), () => body);
}
