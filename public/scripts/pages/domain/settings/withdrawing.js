import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { Problem } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";

/** Withdraws the host from service, after a dialog that asks for the reason. */
export class Withdrawing {
    #page;
    #panel;

    constructor(page) {
        this.#page = page;
        this.#panel = part(page.main, "withdrawing");
        part(this.#panel, "withdraw").addEventListener("click", () => this.#ask());
        page.head.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const { live, withdrawal, host } = this.#page.domain;
        part(this.#panel, "withdraw").hidden = !live || withdrawal?.host === host;
        part(this.#panel, "idle").hidden = Boolean(live);
    }

    #ask() {
        const { host, unicodeHost, aliases } = this.#page.domain;
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
            await this.#page.api.post(at`/domains/${host}/withdrawals`, body);
            dialog.close();
            await this.#page.head.reload();
            announce(`Withdrawal of ${unicodeHost} scheduled. The file is served until then.`);
            part(this.#page.main, "withdrawal").focus();
        });
    }
}
