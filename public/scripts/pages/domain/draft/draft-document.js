import { at } from "../../../shared/api/api.js";
import { DraftView } from "./draft-view.js";

/**
 * The draft of one domain as this page last loaded it, and the only way to change it.
 *
 * An edit is a function that takes this document and makes one request with its `post`, `put`, `patch` or `delete`. It
 * reads the draft when it runs, so the same edit can run again after another user's change. Edits run one at a time, so
 * quick clicks never race.
 *
 * Sends `change` when the draft has changed, `edit` (`detail`: `{ edit, before, after }`) when an edit of this page has
 * changed it, and `preview` when the preview has.
 */
export class DraftDocument extends EventTarget {
    draft = null;
    etag = null;
    page;
    #path;
    #preview = null;
    #last = Promise.resolve();
    #asked = 0;
    #requested = null;
    #shown = 0;

    constructor(page) {
        super();
        this.page = page;
        this.#path = at`/domains/${page.host}`;
    }

    /** What the draft would be with everything that is typed but not saved: `{ view, file }`, or null. */
    get preview() {
        return this.#preview;
    }

    set preview(preview) {
        const isSame = preview?.file === this.#preview?.file;
        this.#preview = preview;
        if (isSame) return;
        this.dispatchEvent(new Event("preview"));
    }

    /** The draft that the results and the file show. It includes unsaved input. */
    get shown() {
        return this.#preview?.view ?? new DraftView(this.draft);
    }

    get revision() {
        return this.draft.revision;
    }

    /** Calls `changed` after every change, and now if the draft has been loaded already. */
    follow(changed) {
        this.addEventListener("change", changed);
        if (this.draft) changed();
    }

    /** Requests the draft, so that the first `load` waits less. */
    request() {
        this.#requested = this.#newer();
        // An alias has no draft.
        this.#requested.catch(() => {});
    }

    /** Loads the draft if it is newer than this one. Returns whether it was. */
    async load() {
        const turn = ++this.#asked;
        const requested = this.#requested ?? this.#newer();
        this.#requested = null;
        const newer = await requested;
        // A late answer to an earlier request may be older than this draft.
        if (!newer || turn < this.#shown) return false;
        this.#shown = turn;
        this.draft = newer.body;
        this.etag = newer.etag;
        this.dispatchEvent(new Event("change"));
        return true;
    }

    /** Whether there is a newer draft, after the edits made here have run. */
    async isOutdated() {
        await this.#last;
        return (await this.#newer()) !== null;
    }

    async #newer() {
        const reply = await this.page.api.get(`${this.#path}/draft`, { ifNoneMatch: this.etag });
        return reply.status === 304 || reply.etag === this.etag ? null : reply;
    }

    /** Runs an edit against the newest draft known here. Throws its problem, 412 included. */
    change(edit) {
        const turn = this.#last.then(async () => {
            const before = this.draft;
            const answer = await edit(this);
            await this.load();
            if (this.draft !== before) {
                this.dispatchEvent(new CustomEvent("edit", { detail: { edit, before, after: this.draft } }));
            }
            return answer;
        });
        this.#last = turn.catch(() => {});
        return turn;
    }

    post(path, body, options) {
        return this.page.api.post(this.#path + path, body, this.#matching(options));
    }

    patch(path, body) {
        return this.page.api.patch(this.#path + path, body, this.#matching());
    }

    delete(path) {
        return this.page.api.delete(this.#path + path, this.#matching());
    }

    /** Writes the whole draft, as changed by `rewrite`. */
    put(rewrite) {
        const { revision, updatedAt, ...content } = structuredClone(this.draft);
        const rewritten = rewrite(content) ?? content;
        return this.page.api.put(`${this.#path}/draft`, rewritten, this.#matching());
    }

    entry(id) {
        return new DraftView(this.draft).entry(id);
    }

    /** A saved rule's place: `{ entry, rule, position }`, or null if it no longer exists. */
    find(ruleID) {
        return new DraftView(this.draft).find(ruleID);
    }

    #matching(options) {
        return { ...options, ifMatch: this.etag };
    }
}
