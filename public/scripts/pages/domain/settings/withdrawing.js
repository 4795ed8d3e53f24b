import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { onPress } from "../../../shared/forms/press.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";

/** The button that withdraws the host from service. */
export class Withdrawing {
    #page;
    #panel;

    constructor(page) {
        this.#page = page;
        this.#panel = part(page.main, "withdrawing");
        const ask = async () => (await later(() => import("./withdraw-dialog.js"))).openWithdrawing(page);
        onPress(part(this.#panel, "withdraw"), ask, (error) => announce(words(error)));
        page.head.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const { live, withdrawal, host } = this.#page.domain;
        part(this.#panel, "withdraw").hidden = !live || withdrawal?.host === host;
        part(this.#panel, "idle").hidden = Boolean(live);
    }
}
