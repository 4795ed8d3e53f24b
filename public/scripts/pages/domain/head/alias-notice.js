import { domainAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/press.js";
import { words } from "../../../shared/api/problem.js";
import { part, showHost } from "../../../shared/page/template.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** On the page of an alias: whose file it serves, and the button that gives it its own file. */
export class AliasNotice {
    #page;
    #root;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "alias-of");
        onPress(part(this.#root, "detach"), () => this.#detach(), (error) => announce(words(error)));
    }

    show({ aliasOf, live }) {
        this.#root.hidden = false;
        showHost(part(this.#root, "target"), hostWords(aliasOf));
        part(this.#root, "target").href = domainAddress(this.#page.session.organization.slug, aliasOf);
        part(this.#root, "detach").hidden = Boolean(live);
        part(this.#root, "detach-later").hidden = !live;
    }

    async #detach() {
        await this.#page.api.patch(at`/domains/${this.#page.host}`, { aliasOf: null });
        location.reload();
    }
}
