import { at } from "../../../shared/api/api.js";
import { copies } from "../../../shared/page/clipboard.js";
import { findingItems } from "../../../components/finding-items.js";
import { openDialog } from "../../../components/dialogs.js";
import { lineElement } from "../../../components/file-line.js";
import { jsonLines } from "../../../shared/files/json-lines.js";

/** Shows the file of one version, formatted for reading, and the findings from when it was saved. */
export async function openVersionFile({ api, host }, { version, sha256, findings }) {
    const { body } = await api.get(at`/domains/${host}/versions/${version}/file`);
    const { part } = openDialog("version-file", { title: `Version ${version}`, sha256: `SHA-256 ${sha256}` });
    part("lines").replaceChildren(...jsonLines(body).map(lineElement));
    copies(part("copy"), () => body);
    part("found").hidden = findings.length === 0;
    part("findings").replaceChildren(...findingItems(findings, null));
}
