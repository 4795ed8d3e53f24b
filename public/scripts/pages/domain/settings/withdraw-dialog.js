import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { Problem } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";

/** Withdraws the host of a page, for a reason that the user gives. */
export function openWithdrawing(page) {
    const { host, unicodeHost, aliases } = page.domain;
    const { dialog, part: inside } = openDialog("withdraw", {
        title: `Withdraw ${unicodeHost}`,
        aliases: aliases.length ? `This also withdraws its aliases: ${aliases.join(", ")}.` : null,
        host,
    });
    onSubmit(inside("form"), async ({ reason, graceSeconds, confirmation }) => {
        if (![host, unicodeHost].includes(confirmation)) {
            const detail = `Type ${unicodeHost} to confirm.`;
            throw new Problem({ code: "invalid", errors: [{ pointer: "/confirmation", detail }] });
        }
        const body = { graceSeconds: Number(graceSeconds), ...(reason && { reason }) };
        await page.api.post(at`/domains/${host}/withdrawals`, body);
        dialog.close();
        await page.head.reload();
        announce(`Withdrawal of ${unicodeHost} scheduled. The file is still served.`);
        part(page.main, "withdrawal").focus();
    });
}
