import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";

const prefix = "try=";

/** The link with a question. Its script is loaded when a link is opened or wanted. */
export class QuestionLink {
    #root;
    #question;
    #sharing = null;

    constructor(root, question) {
        this.#root = root;
        this.#question = question;
        part(root, "share").addEventListener("click", () => this.#share());
        window.addEventListener("hashchange", () => this.#sharing ?? this.restore().catch((error) => announce(words(error))));
    }

    /** Shows the question in the address, if there is one. Returns whether there was. */
    async restore() {
        return location.hash.startsWith(`#${prefix}`) && (await this.#load()).restore();
    }

    /** Updates the address, if it holds the question. */
    changed() {
        this.#sharing?.changed();
    }

    async #share() {
        try {
            await (await this.#load()).share();
        } catch (error) {
            announce(words(error));
        }
    }

    async #load() {
        const { Sharing } = await later(() => import("../../../components/checking/sharing.js"));
        return (this.#sharing ??= new Sharing(this.#root, this.#question, { prefix }));
    }
}
