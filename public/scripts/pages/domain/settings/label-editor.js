import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { parseLabels } from "../../../shared/forms/labels.js";
import { clone, part } from "../../../shared/page/template.js";

/** The domain's labels, for finding it. */
export class LabelEditor {
    #page;
    #root;

    constructor(page, domain) {
        this.#page = page;
        this.#root = part(page.main, "labels");
        onSubmit(part(this.#root, "form"), ({ labels }) => this.#save(parseLabels(labels)));
        this.#show(domain.labels);
    }

    #show(labels) {
        part(this.#root, "form").elements.labels.value = labels.join(", ");
        part(this.#page.main, "head-labels").replaceChildren(...labels.map((label) => clone("label", { label })));
    }

    async #save(labels) {
        const { body } = await this.#page.api.patch(at`/domains/${this.#page.host}`, { labels });
        this.#show(body.labels);
        announce(body.labels.length ? `Labels saved: ${body.labels.join(", ")}.` : "Labels removed.");
    }
}
