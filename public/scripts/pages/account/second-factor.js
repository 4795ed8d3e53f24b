import { announce } from "../../components/announce.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { onPress } from "../../shared/forms/press.js";
import { words } from "../../shared/api/problem.js";
import { copies } from "../../shared/page/clipboard.js";
import { fill, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { showRecoveryCodes } from "./recovery-codes.js";

/** The user's authenticator app and recovery codes: set up, exchanged, removed, and its recovery codes. */
export class SecondFactor {
    #root;
    #title;
    #session;
    #sessions;

    constructor(main, session, sessions) {
        this.#root = part(main, "second-factor");
        this.#title = part(main, "second-factor-title");
        this.#session = session;
        this.#sessions = sessions;
        const failed = (problem) => fill(this.#root, { problem: words(problem) });
        onPress(part(this.#root, "set-up"), () => this.#setUp(), failed);
        onPress(part(this.#root, "renew-codes"), () => this.#renewCodes(), failed);
        onPress(part(this.#root, "remove"), () => this.#remove(), failed);
    }

    async show() {
        const { addedAt, passkeys, recoveryCodes } = (await this.#session.api.get("/me/second-factor")).body;
        const isOn = addedAt !== null;
        const hasCodes = isOn || passkeys > 0;
        const requiring = this.#session.me.organizations.filter(({ requiresSecondFactor }) => requiresSecondFactor);
        const names = requiring.map(({ name }) => name).join(", ");
        fill(this.#root, {
            problem: null,
            needed: !hasCodes && requiring.length ? `${names} requires a second factor. Set one up to continue there.` : null,
            codes: hasCodes ? `${count(recoveryCodes)} left.` : null,
            "set-up": isOn ? "Use another app…" : "Set up…",
        });
        part(this.#root, "off").hidden = isOn;
        part(this.#root, "on").hidden = !isOn;
        if (isOn) showAgo(part(this.#root, "added"), addedAt);
        part(this.#root, "renew-codes").hidden = !hasCodes;
        part(this.#root, "remove").hidden = !isOn || (requiring.length > 0 && !passkeys);
    }

    async #setUp() {
        const { secret, qrCode } = (await this.#session.api.post("/me/totp-secrets")).body;
        const { dialog, closed, part: at } = openDialog("second-factor", { secret: secret.match(/.{4}/g).join(" ") });
        at("qr-code").setAttribute("viewBox", `0 0 ${qrCode?.size ?? 1} ${qrCode?.size ?? 1}`);
        at("modules").setAttribute("d", qrCode?.path ?? "");
        copies(at("copy"), () => secret);
        let codes = null;
        onSubmit(at("form"), async ({ code }) => {
            codes = (await this.#session.api.put("/me/second-factor", { code: code ?? "" })).body.recoveryCodes;
            dialog.close();
        });
        await closed;
        if (!codes) return;
        await showRecoveryCodes(codes);
        announce("Second factor on. All your other sessions have ended.");
        await this.show();
        await this.#sessions.refresh();
        this.#title.focus();
    }

    async #renewCodes() {
        const isSure = await confirm({
            title: "Make new recovery codes?",
            detail: "The old ones end.",
            action: "Make new codes",
        });
        if (!isSure) return;
        await showRecoveryCodes((await this.#session.api.post("/me/recovery-codes")).body.recoveryCodes);
        await this.show();
    }

    async #remove() {
        const isSure = await confirm({
            title: "Remove the authenticator app?",
            detail: "Without another second factor, your password or a link is then enough to sign in, and your recovery codes end.",
            action: "Remove",
        });
        if (!isSure) return;
        await this.#session.api.delete("/me/second-factor");
        announce("Authenticator app removed.");
        await this.show();
        this.#title.focus();
    }
}

function count(codes) {
    return codes === 1 ? "1 recovery code" : `${codes} recovery codes`;
}
