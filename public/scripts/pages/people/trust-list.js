import { all, at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { announce } from "../../components/announce.js";
import { confirm } from "../../components/dialogs.js";
import { onPress } from "../../shared/forms/press.js";
import { focusKey, focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { grantWords } from "../../shared/words/role-words.js";
import { changeTrust, createTrust, showUse } from "./trust-dialogs.js";

const systems = { github: "GitHub Actions", gitlab: "GitLab" };

/** The CI systems whose jobs get tokens without a stored secret: list, create, change, delete. */
export class TrustList {
    #root;
    #session;

    constructor(main, session) {
        this.#root = part(main, "trusts");
        this.#session = session;
        part(this.#root, "create").addEventListener("click", () => createTrust(session, (made) => this.#created(made)));
    }

    async show() {
        const trusts = await all(this.#session.api, "/trusts");
        part(this.#root, "list").replaceChildren(...trusts.map((trust) => this.#row(trust)));
        fill(this.#root, { problem: null });
        part(this.#root, "empty").hidden = trusts.length > 0;
    }

    #row(trust) {
        const { id, name, provider, issuer, claims, role, author, lastUsedAt, lastRefusedAt } = trust;
        const row = clone("trust-row", {
            name,
            system: systems[provider] ?? issuer,
            author: author && `by ${author.name}`,
            claims: Object.entries(claims).map((claim) => claim.join(" = ")).join(", "),
            role: grantWords(trust),
            "used-words": lastUsedAt ? "Last used" : "Never used",
            "refused-words": lastRefusedAt && "Last refused",
        });
        row.dataset.key = id;
        showAgo(part(row, "used"), lastUsedAt);
        showAgo(part(row, "refused"), lastRefusedAt);
        label(row, "use", `How jobs use trust ${name}…`).addEventListener("click", () => showUse(trust, this.#session));
        for (const action of ["change", "delete"]) part(row, action).hidden = !this.#session.can(role);
        label(row, "change", `Change trust ${name}…`).addEventListener("click", () =>
            changeTrust(this.#session, trust, (changed) => this.#changed(changed)),
        );
        label(row, "delete", `Delete trust ${name}…`);
        onPress(part(row, "delete"), () => this.#delete(trust, row), (problem) => fill(row, { problem: words(problem) }));
        return row;
    }

    async #created(trust) {
        announce(`Trust ${trust.name} created.`);
        await showUse(trust, this.#session);
        await this.#refresh();
    }

    async #changed({ id, name }) {
        announce(`Trust ${name} changed.`);
        await this.#refresh();
        focusKey(this.#root, id, "change");
    }

    async #delete({ id, name }, row) {
        const isSure = await confirm({
            title: `Delete trust ${name}?`,
            detail: "Its jobs are refused, and its tokens end within a second. This cannot be undone.",
            action: "Delete trust",
        });
        if (!isSure) return;
        const list = part(this.#root, "list");
        const index = [...list.children].indexOf(row);
        await this.#session.api.delete(at`/trusts/${id}`);
        announce(`Trust ${name} deleted.`);
        await this.#refresh();
        focusNeighbour(list.children, index, "delete", part(this.#root, "title"));
    }

    /** Loads the list again after a change. If that fails, the change is made all the same. */
    async #refresh() {
        await this.show().catch((error) => fill(this.#root, { problem: words(error) }));
    }
}
