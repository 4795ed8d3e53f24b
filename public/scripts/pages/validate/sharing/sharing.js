import { announce } from "../../../components/announce.js";
import { afterPause } from "../../../shared/following/later.js";
import { number } from "../../../shared/words/numbers.js";
import { part } from "../../../shared/page/template.js";
import { LinkProblem, fragmentOf, stateOf } from "./share-link.js";

/** Longer addresses are cut off by some of the programs that people send them with. */
const sureLength = 8_000;

/**
 * A link that holds all that is on the page behind its `#`, which browsers send to nobody. Nothing is put into the
 * address until somebody asks for a link; from then on the address follows what is typed, so that it is always right.
 */
export class Sharing {
    #root;
    #page;
    #own = null;
    #follow = afterPause(400, () => this.#update());

    /** `page` has `state`, to be read and set. */
    constructor(root, page) {
        this.#root = root;
        this.#page = page;
        part(root, "share").addEventListener("click", () => this.#share());
        // A link that is opened while the page is open changes only what is behind the `#`.
        window.addEventListener("hashchange", () => this.restore());
    }

    /** Shows what the address holds, if it holds something. */
    async restore() {
        const fragment = location.hash.slice(1);
        if (!fragment || fragment === "main" || fragment === this.#own) return;
        try {
            const state = await stateOf(fragment);
            this.#own = fragment;
            this.#showProblem(null);
            this.#page.state = state;
        } catch (error) {
            this.#showProblem(said(error));
        }
    }

    /** Keeps the address right, if it holds anything of ours. */
    changed() {
        if (this.#own !== null) this.#follow();
    }

    async #share() {
        if (!(await this.#update())) return;
        const isLong = location.href.length > sureLength;
        const caution = isLong ? ` It has ${number(location.href.length)} characters: some programs cut such links off.` : "";
        try {
            await navigator.clipboard.writeText(location.href);
            announce(`The link is copied.${caution}`);
        } catch {
            announce(`The address of this page is the link now: copy it from there.${caution}`);
        }
    }

    async #update() {
        try {
            this.#own = await fragmentOf(this.#page.state);
            history.replaceState(null, "", `#${this.#own}`);
            this.#showProblem(null);
            return true;
        } catch (error) {
            this.#own = "";
            history.replaceState(null, "", location.pathname);
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
    return "This browser cannot make or read such links. Send the file itself instead.";
}
