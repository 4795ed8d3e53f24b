import { at } from "../../../shared/api/api.js";
import { copies } from "../../../shared/page/clipboard.js";
import { markdown } from "../../../shared/page/markdown.js";
import { words } from "../../../shared/api/problem.js";
import { fill, part } from "../../../shared/page/template.js";
import { Newest } from "../../../shared/following/newest.js";

/** The configuration with which another web server on this host forwards the two paths, for each kind of server. */
export class Handover {
    #page;
    #root;
    #newest = new Newest();

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "handover");
        for (const name of ["text", "check"]) {
            copies(part(this.#root, `copy-${name}`), () => part(this.#root, name).textContent);
        }
        part(this.#root, "kind").addEventListener("change", () => this.show());
    }

    /** Shows the snippet for the chosen server. It changes when a version goes live. */
    async show() {
        const kind = part(this.#root, "kind").value;
        if (!kind) return this.#fill(null);
        const { api, host } = this.#page;
        await this.#newest.ask((signal) => api.get(at`/domains/${host}/snippets/${kind}`, { signal }), {
            answered: ({ body }) => this.#fill(body),
            failed: (error) => this.#fill(null, words(error)),
        });
    }

    #fill(snippet, problem = "") {
        fill(this.#root, { problem });
        part(this.#root, "snippet").hidden = !snippet;
        if (!snippet) return;
        const { place, text, notes, check } = snippet;
        fill(this.#root, { place, text, check });
        const list = notes.map((note) => `- ${note}`).join("\n");
        part(this.#root, "notes").replaceChildren(...markdown(list, { address: () => null }));
    }
}
