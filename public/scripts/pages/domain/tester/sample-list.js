import { clone, part } from "../../../shared/page/template.js";
import { shortURL } from "../../../components/checking/typed-urls.js";
import { sampleURLs } from "./samples.js";

/** Buttons that try a sample URL of the draft, or all of them. */
export class SampleList {
    #page;
    #root;
    #tries;

    constructor(page, root, tries) {
        this.#page = page;
        this.#root = root;
        this.#tries = tries;
    }

    /** The sample to start with. */
    get first() {
        return sampleURLs(this.#page.host, this.#page.document.draft)[0] ?? `https://${this.#page.host}/`;
    }

    show() {
        const urls = sampleURLs(this.#page.host, this.#page.document.draft);
        part(this.#root, "samples").hidden = urls.length === 0;
        const items = urls.map((url) => this.#item(shortURL(url, this.#page.host), url));
        if (urls.length > 1) items.push(this.#item("all of them", urls.join("\n")));
        part(this.#root, "sample-list").replaceChildren(...items);
    }

    #item(text, urls) {
        const item = clone("sample", { sample: text });
        part(item, "sample").addEventListener("click", () => this.#tries(urls));
        return item;
    }
}
