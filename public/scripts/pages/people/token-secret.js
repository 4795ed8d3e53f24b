import { offerCurl } from "../../components/curl.js";
import { curlCommand } from "../../components/curl-command.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { copies } from "../../shared/page/clipboard.js";

/** A request that every token may send. It names no organization, because a token belongs to one. */
const request = () => ({ path: "/domains" });

/**
 * Shows the secret of a new token once. It is only in the text of the dialog, and leaves the page with it. Escape asks
 * first if nothing was copied. Resolves when the dialog is closed.
 */
export async function showSecret(secret, texts) {
    const shown = { detail: null, ...texts, secret, request: curlCommand(request()) };
    const { dialog, closed, part } = openDialog("token-secret", shown);
    let isCopied = false;
    const note = () => (isCopied = true);
    const forget = () => part("secret").replaceChildren();
    copies(part("copy"), () => part("secret").textContent);
    part("copy").addEventListener("click", note);
    dialog.addEventListener("copy", note);
    dialog.addEventListener("cancel", async (event) => {
        if (isCopied) return;
        event.preventDefault();
        if (await mayForget()) dialog.close();
    });
    const forgetRequest = offerCurl("list domains", request, part("as-curl"));
    // The browser may keep a page that the user leaves, to show it again.
    window.addEventListener("pagehide", forget, { once: true });
    await closed;
    window.removeEventListener("pagehide", forget);
    forget();
    forgetRequest();
}

function mayForget() {
    return confirm({
        title: "Close without copying?",
        detail: "The token is not shown again. You would have to rotate it.",
        action: "Close",
        keep: "Back",
    });
}
