import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { parseLabels } from "../../../shared/forms/labels.js";
import { part } from "../../../shared/page/template.js";

/** The domain's labels, for finding it. */
export class LabelEditor {
    #page;
    #root;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "labels");
        onSubmit(part(this.#root, "form"), ({ labels }, _, { hasTyped }) => this.#save(parseLabels(labels), hasTyped));
        this.#show();
    }

    #show() {
        part(this.#root, "form").elements.labels.value = this.#page.domain.labels.join(", ");
    }

    async #save(labels, hasTyped) {
        const { body } = await this.#page.api.patch(at`/domains/${this.#page.host}`, { labels });
        await this.#page.head.reload();
        if (!hasTyped()) this.#show();
        announce(body.labels.length ? `Labels saved: ${body.labels.join(", ")}.` : "Labels removed.");
    }
}
