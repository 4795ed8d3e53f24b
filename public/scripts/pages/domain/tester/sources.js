import { at } from "../../../shared/api/api.js";

const maximumVersions = 50;
const fresh = 10_000;

/**
 * The versions of the domain, for choices of a source: the newest ones with their messages. Loaded when a choice may be
 * used, and not too often.
 */
export class KnownVersions extends EventTarget {
    #page;
    #at = -Infinity;
    items = [];

    /** The numbers of the older ones: versions are numbered without gaps. */
    get older() {
        const oldest = this.items.at(-1)?.version ?? 1;
        return Array.from({ length: oldest - 1 }, (_, index) => oldest - 1 - index);
    }

    constructor(page) {
        super();
        this.#page = page;
    }

    /** Only an offer: a failure leaves the choice as it was. */
    async load() {
        if (performance.now() - this.#at < fresh) return;
        this.#at = performance.now();
        const path = at`/domains/${this.#page.host}/versions`;
        const answer = await this.#page.api.get(path, { query: { limit: maximumVersions } }).catch(() => null);
        if (!answer) return;
        this.items = answer.body.items;
        this.dispatchEvent(new Event("change"));
    }
}

/** A choice of what to check: the draft, the live version, a version, and with `withFile` another file. */
export class SourceChoice {
    #select;

    constructor(select, versions, { withFile = false } = {}) {
        this.#select = select;
        const group = document.createElement("optgroup");
        group.label = "Versions";
        const options = [new Option("Draft", "draft"), new Option("Live version", "live"), group];
        select.replaceChildren(...options, ...(withFile ? [new Option("Another file…", "file")] : []));
        const show = () => this.#showVersions(group, versions);
        versions.addEventListener("change", show);
        select.addEventListener("pointerenter", () => versions.load());
        select.addEventListener("focus", () => versions.load());
        show();
    }

    /** `draft`, `live` or `file`, or the number of a version. */
    get value() {
        const { value } = this.#select;
        return Number(value) || value;
    }

    /** Another value than an offered one means a version, which may be an old one. */
    set value(value) {
        const isOffered = [...this.#select.options].some((option) => option.value === String(value));
        if (!isOffered && Number(value) > 0) {
            this.#select.querySelector("optgroup").append(new Option(`Version ${value}`, value));
        }
        this.#select.value = value;
        if (!this.#select.value) this.#select.value = "draft";
    }

    #showVersions(group, { items, older }) {
        const { value } = this.#select;
        group.hidden = items.length === 0;
        const all = [...items, ...older.map((version) => ({ version }))];
        group.replaceChildren(...all.map((item) => new Option(versionText(item), item.version)));
        this.value = value || "draft";
    }
}

function versionText({ version, message }) {
    return message ? `Version ${version}: ${message.slice(0, 40)}` : `Version ${version}`;
}
