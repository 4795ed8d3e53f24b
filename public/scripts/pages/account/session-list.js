import { announce } from "../../components/announce.js";
import { at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { onPress } from "../../shared/forms/press.js";
import { focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";

/** Where the user is signed in. Each session can be ended. */
export class SessionList {
    #root;
    #title;
    #api;

    constructor(main, api) {
        this.#root = part(main, "sessions");
        this.#title = part(main, "sessions-title");
        this.#api = api;
        onPress(part(this.#root, "end-others"), () => this.#endOthers(), (problem) => this.#fail(problem));
    }

    async show() {
        const { items } = (await this.#api.get("/sessions")).body;
        part(this.#root, "list").replaceChildren(...items.map((session) => this.#row(session)));
        fill(this.#root, { problem: null });
        part(this.#root, "end-others").hidden = items.length < 2;
    }

    /** Loads the list again after a change. If that fails, the change is made anyway. */
    async refresh() {
        await this.show().catch((problem) => this.#fail(problem));
    }

    #row({ id, client, address, lastUsedAt, createdAt, current }) {
        const name = client || "Unknown program";
        const row = clone("session", {
            client: name,
            address: address || "Unknown address",
            current: current ? "This session" : null,
            "used-words": current ? "Active" : "Last used",
        });
        showAgo(part(row, "used"), current ? new Date().toISOString() : lastUsedAt);
        showAgo(part(row, "signed-in"), createdAt);
        const end = label(row, "end", `Sign out ${name}`);
        end.hidden = current;
        onPress(end, () => this.#end(id, name, row), (problem) => fill(row, { problem: words(problem) }));
        return row;
    }

    async #end(id, name, row) {
        await this.#api.delete(at`/sessions/${id}`);
        announce(`${name} signed out.`);
        const list = part(this.#root, "list");
        const index = [...list.children].indexOf(row);
        await this.refresh();
        focusNeighbour(list.children, index, "end", this.#title);
    }

    async #endOthers() {
        await this.#api.delete("/sessions");
        announce("Signed out everywhere else.");
        await this.refresh();
        this.#title.focus();
    }

    #fail(problem) {
        fill(this.#root, { problem: words(problem) });
    }
}
