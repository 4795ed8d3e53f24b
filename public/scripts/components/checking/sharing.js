import { announce } from "../announce.js";
import { afterPause } from "../../shared/following/later.js";
import { number } from "../../shared/words/numbers.js";
import { part } from "../../shared/page/template.js";
import { LinkProblem, fragmentOf, stateOf } from "./share-link.js";

/** Some programs cut off longer addresses. */
const sureLength = 8_000;

/**
 * A link with the whole input after its `#`, which browsers do not send to servers. The address holds nothing until the
 * user copies a link; then it follows the input.
 */
export class Sharing {
    #root;
    #input;
    #prefix;
    #own = null;
    #follow = afterPause(400, () => this.#update());

    /**
     * `input` has `state`, a JSON object to be read; `read(json)`, which checks that of a link, or throws; and
     * `restore(state)`, which shows what was read. A link's fragment starts with `prefix`; others are not its own.
     */
    constructor(root, input, { prefix = "" } = {}) {
        this.#root = root;
        this.#input = input;
        this.#prefix = prefix;
        // A link opened while the page is open changes only the text after the `#`.
        window.addEventListener("hashchange", () => this.restore());
    }

    /** Shows the input in the address, if there is any. Returns whether there was. */
    async restore() {
        const hash = location.hash.slice(1);
        const fragment = hash.startsWith(this.#prefix) ? hash.slice(this.#prefix.length) : "";
        if (!fragment || fragment === "main" || fragment === this.#own) return false;
        try {
            const state = await stateOf(fragment, (json) => this.#input.read(json));
            this.#own = fragment;
            this.#showProblem(null);
            this.#input.restore(state);
            return true;
        } catch (error) {
            this.#showProblem(said(error));
            return false;
        }
    }

    /** Updates the address, if it holds the input. */
    changed() {
        if (this.#own !== null) this.#follow();
    }

    /** Puts a link into the clipboard and into the address. */
    async share() {
        if (!(await this.#update())) return;
        const isLong = location.href.length > sureLength;
        const length = `${number(location.href.length)} characters`;
        const caution = isLong ? ` It has ${length}; some programs cut off such long links.` : "";
        try {
            await navigator.clipboard.writeText(location.href);
            announce(`Link copied.${caution}`);
        } catch {
            announce(`This page’s address is now the link. Copy it from the address bar.${caution}`);
        }
    }

    async #update() {
        try {
            this.#own = await fragmentOf(this.#input.state);
            history.replaceState(history.state, "", `#${this.#prefix}${this.#own}`);
            this.#showProblem(null);
            return true;
        } catch (error) {
            this.#own = "";
            history.replaceState(history.state, "", location.pathname + location.search);
            this.#showProblem(said(error));
            return false;
        }
    }

    #showProblem(sentence) {
        part(this.#root, "link-problem").hidden = !sentence;
        part(this.#root, "link-problem").textContent = sentence ?? "";
    }
}

function said(error) {
    if (error instanceof LinkProblem) return error.message;
    return "This browser cannot create or read these links. Send the file instead.";
}
