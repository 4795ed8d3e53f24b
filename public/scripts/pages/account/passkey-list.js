import { announce } from "../../components/announce.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { canUsePasskeys, createPasskey } from "../../components/passkeys.js";
import { at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { onSubmit } from "../../shared/forms/form.js";
import { onPress } from "../../shared/forms/press.js";
import { focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { showRecoveryCodes } from "./recovery-codes.js";

/** The user's passkeys. After a change, `changed` shows what depends on them. */
export class PasskeyList {
    #root;
    #title;
    #session;
    #changed;

    constructor(main, session, changed) {
        this.#root = part(main, "passkeys");
        this.#title = part(main, "passkeys-title");
        this.#session = session;
        this.#changed = changed;
        part(this.#root, "add").hidden = !canUsePasskeys();
        part(this.#root, "cannot").hidden = canUsePasskeys();
        onPress(part(this.#root, "add"), () => this.#add(), (problem) => this.#fail(problem));
    }

    async show() {
        const { items } = (await this.#session.api.get("/me/passkeys")).body;
        part(this.#root, "list").replaceChildren(...items.map((passkey) => this.#row(passkey)));
        fill(this.#root, { problem: null });
        part(this.#root, "none").hidden = items.length > 0;
    }

    #row({ id, name, createdAt, lastUsedAt }) {
        const row = clone("passkey", { name, "used-words": lastUsedAt ? "Last used" : "Not used yet" });
        showAgo(part(row, "added"), createdAt);
        if (lastUsedAt) showAgo(part(row, "used"), lastUsedAt);
        onPress(
            label(row, "remove", `Remove ${name}`),
            () => this.#remove(id, name, row),
            (problem) => fill(row, { problem: words(problem) }),
        );
        return row;
    }

    async #add() {
        const { dialog, closed, part: at } = openDialog("new-passkey");
        let added = null;
        onSubmit(at("form"), async ({ name }) => {
            const passkey = await createPasskey(this.#session.api, this.#session.me.user);
            added = (await this.#session.api.post("/me/passkeys", { name: name ?? "", ...passkey })).body;
            dialog.close();
        });
        await closed;
        if (!added) return;
        if (added.recoveryCodes) await showRecoveryCodes(added.recoveryCodes);
        announce(`${added.passkey.name} added.`);
        await this.#refresh();
        this.#title.focus();
    }

    async #remove(id, name, row) {
        const isSure = await confirm({
            title: `Remove ${name}?`,
            detail: "It no longer signs you in. Remove it from the device, too.",
            action: "Remove",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/me/passkeys/${id}`);
        announce(`${name} removed.`);
        const list = part(this.#root, "list");
        const index = [...list.children].indexOf(row);
        await this.#refresh();
        focusNeighbour(list.children, index, "remove", this.#title);
    }

    async #refresh() {
        await Promise.all([this.show(), this.#changed()]).catch((problem) => this.#fail(problem));
    }

    #fail(problem) {
        fill(this.#root, { problem: words(problem) });
    }
}
