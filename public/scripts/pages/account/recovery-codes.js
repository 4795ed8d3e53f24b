import { openDialog } from "../../components/dialogs.js";
import { copies } from "../../shared/page/clipboard.js";

/** Shows recovery codes once. They are only in the dialog, and leave the page with it. */
export async function showRecoveryCodes(codes) {
    const { closed, part: at } = openDialog("recovery-codes");
    at("codes").append(...codes.map((code) => Object.assign(document.createElement("li"), { textContent: code })));
    copies(at("copy"), () => codes.join("\n"));
    await closed;
}
