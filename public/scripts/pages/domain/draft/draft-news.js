import { announceNews } from "../../../components/announce.js";
import { onPress } from "../../../shared/forms/press.js";
import { pause } from "../../../shared/following/later.js";
import { fill, part } from "../../../shared/page/template.js";
import { whoChanged } from "./who-changed.js";

/** How often to check whether the user is still typing, in milliseconds. */
const calm = 500;

/**
 * Shows other users' changes to the draft: immediately, or, while `isBusy` says that the user is editing, by a notice
 * with a button. The user's input is kept either way.
 */
export class DraftNews {
    #page;
    #notice;
    #isBusy;
    #isWaiting = false;

    constructor(page, { isBusy, failed }) {
        this.#page = page;
        this.#isBusy = isBusy;
        this.#notice = part(page.main, "newer");
        onPress(part(this.#notice, "show-newer"), () => this.#showChosen(), failed);
        page.document.addEventListener("change", () => (this.#notice.hidden = true));
    }

    async show() {
        const draftDocument = this.#page.document;
        if (!(await draftDocument.isOutdated())) return void (this.#notice.hidden = true);
        if (!this.#isBusy()) return this.#load();
        const { draft } = draftDocument;
        const who = await whoChanged(this.#page);
        if (draftDocument.draft !== draft) return this.show();
        fill(this.#notice, { who: `${who}.` }).hidden = false;
        this.#waitForCalm();
    }

    async #waitForCalm() {
        if (this.#isWaiting) return;
        this.#isWaiting = true;
        while (!this.#notice.hidden && this.#isBusy()) await pause(calm);
        this.#isWaiting = false;
        if (!this.#notice.hidden) await this.show().catch(() => {});
    }

    async #load() {
        if (await this.#page.document.load()) {
            announceNews(`${await whoChanged(this.#page)}. You now see the newest draft.`);
        }
    }

    async #showChosen() {
        await this.#load();
        this.#page.parts.focus();
    }
}
