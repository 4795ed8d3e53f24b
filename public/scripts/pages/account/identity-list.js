import { announce } from "../../components/announce.js";
import { confirm } from "../../components/dialogs.js";
import { connectIdentity } from "../../components/provider-sign-in.js";
import { at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { onPress } from "../../shared/forms/press.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";

/** The user's identities at the providers of organizations. */
export class IdentityList {
    #root;
    #title;
    #session;

    constructor(main, session) {
        this.#root = part(main, "identities");
        this.#title = part(main, "identities-title");
        this.#session = session;
    }

    async show() {
        const { items, providers } = (await this.#session.api.get("/me/identities")).body;
        part(this.#root, "list").replaceChildren(...items.map((identity) => this.#row(identity)));
        part(this.#root, "none").hidden = items.length > 0;
        part(this.#root, "none").textContent = providers.length
            ? "None is connected."
            : "None is connected, and none of your organizations has one.";
        part(this.#root, "connect").replaceChildren(...providers.map((provider) => this.#connector(provider)));
        fill(this.#root, { problem: null });
    }

    #connector({ organization, issuer }) {
        const { name } = this.#session.me.organizations.find(({ slug }) => slug === organization);
        const button = part(clone("connect", { connect: `Connect the provider of ${name}` }), "connect");
        button.title = issuer;
        const failed = (problem) => fill(this.#root, { problem: words(problem) });
        onPress(button, () => connectIdentity(organization, "/account#identities"), failed);
        return button;
    }

    #row({ id, issuer, createdAt, lastUsedAt }) {
        const row = clone("identity", { issuer });
        showAgo(part(row, "added"), createdAt);
        showAgo(part(row, "used"), lastUsedAt ?? createdAt);
        onPress(
            label(row, "disconnect", `Disconnect ${issuer}`),
            () => this.#disconnect(id, issuer),
            (problem) => fill(row, { problem: words(problem) }),
        );
        return row;
    }

    async #disconnect(id, issuer) {
        const isSure = await confirm({
            title: `Disconnect ${issuer}?`,
            detail: "It no longer signs you in. Make sure that you can sign in in another way.",
            action: "Disconnect",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/me/identities/${id}`);
        announce("Disconnected.");
        await this.show();
        this.#title.focus();
    }
}
