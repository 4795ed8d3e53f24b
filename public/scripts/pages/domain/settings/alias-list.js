import { domainAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { clone, part, showHost } from "../../../shared/page/template.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** The hosts that also serve this domain's file. */
export class AliasList {
    #page;
    #root;

    constructor(page) {
        const { domain } = page;
        this.#page = page;
        this.#root = part(page.main, "aliases");
        onSubmit(part(this.#root, "form"), ({ host }, form, { hasTyped }) => this.#add(host ?? "", { form, hasTyped }));
        this.#show(domain.aliases);
        // Only a hint: the server decides.
        const isDecided = Boolean(domain.live ?? domain.freeze ?? domain.withdrawal) || domain.state === "withdrawn";
        const isOffered = !isDecided || page.session.can("createPublication");
        part(this.#root, "form").hidden = !isOffered;
        part(this.#root, "publishers").hidden = isOffered;
    }

    #show(aliases) {
        part(this.#root, "empty").hidden = aliases.length > 0;
        part(this.#root, "list").replaceChildren(...aliases.map((host) => this.#item(host)));
    }

    #item(host) {
        const item = clone("alias");
        showHost(part(item, "host"), hostWords(host));
        part(item, "host").href = domainAddress(this.#page.session.organization.slug, host);
        return item;
    }

    async #add(host, { form, hasTyped }) {
        const { body } = await this.#page.api.post("/domains", { host, aliasOf: this.#page.host });
        if (!hasTyped()) form.reset();
        const { body: domain } = await this.#page.api.get(at`/domains/${this.#page.host}`);
        this.#show(domain.aliases);
        const next = body.verified ? "It serves this file too." : "Verify it on its own page.";
        announce(`Alias ${body.unicodeHost} added. ${next}`);
        form.elements.host.focus();
    }
}
