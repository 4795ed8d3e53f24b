import { all, at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { announce } from "../../components/announce.js";
import { offerCurl } from "../../components/curl.js";
import { confirm } from "../../components/dialogs.js";
import { onPress } from "../../shared/forms/press.js";
import { focusKey, focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo, showTime } from "../../shared/times/moments.js";
import { showState, tokenStates } from "../../shared/words/states.js";
import { grantWords } from "../../shared/words/role-words.js";
import { createToken, rotateToken } from "./token-dialogs.js";
import { showSecret } from "./token-secret.js";

/** A token that ends within this many milliseconds is marked: 14 days. */
const soon = 1_209_600_000;

/** The API tokens of the organization: list, create, rotate, revoke. */
export class TokenList {
    #root;
    #session;

    constructor(main, session) {
        this.#root = part(main, "tokens");
        this.#session = session;
        part(this.#root, "create").addEventListener("click", () => createToken(session, (made) => this.#created(made)));
        offerCurl("list tokens", () => ({ path: "/tokens", organization: session.organization.slug }));
    }

    async show() {
        const tokens = await all(this.#session.api, "/tokens");
        const active = tokens.filter((token) => token.active);
        const ended = tokens.filter((token) => !token.active);
        part(this.#root, "list").replaceChildren(...active.map((token) => this.#row(token)));
        part(this.#root, "ended-list").replaceChildren(...ended.map((token) => this.#row(token)));
        fill(this.#root, { problem: null, "ended-title": `Ended tokens (${ended.length})` });
        part(this.#root, "empty").hidden = active.length > 0;
        part(this.#root, "ended").hidden = ended.length === 0;
    }

    #row(token) {
        const { id, name, role, active, createdAt, lastUsedAt, expiresAt, revokedAt, author } = token;
        const row = clone("token", {
            name,
            role: grantWords(token),
            author: author && `by ${author.name}`,
            id: `…${id.slice(-8)}`,
            "used-words": lastUsedAt ? "Last used" : "Never used",
            "end-words": revokedAt ? "Revoked" : !active ? "Expired" : expiresAt ? "Expires" : "Never expires",
        });
        row.dataset.key = id;
        showState(part(row, "state"), tokenStates[stateOf(token)]);
        part(row, "id").title = id;
        showTime(part(row, "created"), createdAt);
        showAgo(part(row, "used"), lastUsedAt);
        showAgo(part(row, "end"), revokedAt ?? expiresAt);
        for (const action of ["rotate", "revoke"]) part(row, action).hidden = !active || !this.#session.can(role);
        label(row, "rotate", `Rotate token ${name}…`).addEventListener("click", () =>
            rotateToken(this.#session, token, (made, overlap) => this.#rotated(made, overlap)),
        );
        label(row, "revoke", `Revoke token ${name}…`);
        const failed = (problem) => fill(row, { problem: words(problem) });
        onPress(part(row, "revoke"), () => this.#revoke(token, row), failed);
        return row;
    }

    async #created({ token, secret }) {
        await showSecret(secret, { title: `Token ${token.name} created` });
        await this.#refresh();
    }

    async #rotated({ token, secret }, overlap) {
        const end = overlap ? `stays valid for ${overlap}` : "has ended";
        const detail = `This is the new token. The old one ${end}.`;
        await showSecret(secret, { title: `Token ${token.name} rotated`, detail });
        await this.#refresh();
        focusKey(this.#root, token.id, "rotate");
    }

    async #revoke({ id, name }, row) {
        const isSure = await confirm({
            title: `Revoke token ${name}?`,
            detail: "Programs that use it are refused within a second. This cannot be undone.",
            action: "Revoke token",
        });
        if (!isSure) return;
        const list = part(this.#root, "list");
        const index = [...list.children].indexOf(row);
        await this.#session.api.delete(at`/tokens/${id}`);
        announce(`Token ${name} revoked.`);
        await this.#refresh();
        focusNeighbour(list.children, index, "revoke", part(this.#root, "title"));
    }

    /** Loads the list again after a change. If that fails, the change is made all the same. */
    async #refresh() {
        await this.show().catch((error) => fill(this.#root, { problem: words(error) }));
    }
}

function stateOf({ active, expiresAt, revokedAt }) {
    if (!active) return revokedAt ? "revoked" : "expired";
    return expiresAt && new Date(expiresAt) - Date.now() < soon ? "ending" : "active";
}
