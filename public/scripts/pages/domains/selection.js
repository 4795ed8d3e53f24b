/**
 * The selected domains. A click with Shift selects all rows since the last click. `changed` is called with the
 * selection; the browser's history keeps it, so that Back restores it.
 */
export class Selection {
    #list;
    #changed;
    #isAlias;
    #last = null;

    /** `selected` holds pairs of a host and whether it is an alias. */
    constructor(list, selected, changed) {
        this.#list = list;
        this.#isAlias = new Map(selected);
        this.#changed = changed;
        list.addEventListener("click", (event) => this.#click(event));
    }

    get size() {
        return this.#isAlias.size;
    }

    get hosts() {
        return [...this.#isAlias.keys()];
    }

    /** The selected domains that have a draft. */
    get ownFiles() {
        return this.hosts.filter((host) => !this.#isAlias.get(host));
    }

    get entries() {
        return [...this.#isAlias];
    }

    has(host) {
        return this.#isAlias.has(host);
    }

    get areAllShown() {
        return this.#boxes.length > 0 && this.#boxes.every((box) => box.checked);
    }

    selectShown(isSelected) {
        for (const box of this.#boxes) this.#put(box, isSelected);
        this.#changed();
    }

    add(domains) {
        for (const { host, aliasOf } of domains) this.#isAlias.set(host, aliasOf !== null);
        this.show();
        this.#changed();
    }

    clear() {
        this.#isAlias.clear();
        this.#last = null;
        this.show();
        this.#changed();
    }

    /** Checks the boxes of the selected rows. */
    show() {
        for (const box of this.#boxes) box.checked = this.has(hostOf(box));
    }

    #click({ target, shiftKey }) {
        if (target.dataset.part !== "select") return;
        for (const box of shiftKey ? this.#range(target) : [target]) this.#put(box, target.checked);
        this.#last = hostOf(target);
        this.#changed();
    }

    #range(box) {
        const boxes = this.#boxes;
        const from = boxes.findIndex((each) => hostOf(each) === this.#last);
        const to = boxes.indexOf(box);
        return from < 0 ? [box] : boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
    }

    #put(box, isSelected) {
        box.checked = isSelected;
        if (isSelected) this.#isAlias.set(hostOf(box), box.closest("[data-key]").dataset.alias === "yes");
        else this.#isAlias.delete(hostOf(box));
    }

    get #boxes() {
        return [...this.#list.querySelectorAll('input[data-part="select"]')];
    }
}

function hostOf(box) {
    return box.closest("[data-key]").dataset.key;
}
