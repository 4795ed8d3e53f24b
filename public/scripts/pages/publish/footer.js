import { part } from "../../shared/page/template.js";

/**
 * The bar at the bottom with the button: its words say why the button is missing. Until `show`
 * is called, nothing can be published.
 */
export class Footer {
    #form;
    #labels = { now: "Publish", later: "Schedule" };
    #isBlocked = true;

    constructor(form, { cancel }) {
        this.#form = form;
        part(form, "cancel").href = cancel;
        form.addEventListener("input", () => this.#showLabel());
        visualViewport.addEventListener("resize", () => stayAbove(form));
        this.show({ words: "Checking…", isBlocked: true });
    }

    /** Whether publishing is impossible as things are. */
    get isBlocked() {
        return this.#isBlocked;
    }

    /** Changes the button's words, for now and for later. */
    label(labels) {
        this.#labels = labels;
        this.#showLabel();
    }

    /** `fix` is the link, `{ words, href }`, that solves what blocks publishing. */
    show({ words, tone = "", isBlocked = false, fix = null }) {
        this.#isBlocked = isBlocked;
        const told = part(this.#form, "footer-words");
        told.textContent = words;
        told.dataset.tone = tone;
        part(this.#form, "submit").hidden = isBlocked;
        part(this.#form, "to-options").hidden = isBlocked;
        const link = part(this.#form, "footer-fix");
        link.hidden = !fix;
        if (fix) Object.assign(link, { textContent: fix.words, href: fix.href });
        this.#showLabel();
    }

    #showLabel() {
        const button = part(this.#form, "submit");
        // While it is busy, its words say so.
        if (this.#form.ariaBusy === "true") return;
        button.textContent = this.#form.elements.when?.value === "now" ? this.#labels.now : this.#labels.later;
    }
}

/** Keeps the bar above the keyboard of a phone, which covers the page without making it smaller. */
function stayAbove(form) {
    // A zoomed page has a smaller visible part too, but no keyboard.
    const { height, offsetTop, scale } = visualViewport;
    const covered = scale === 1 ? Math.max(innerHeight - height - offsetTop, 0) : 0;
    form.style.setProperty("--keyboard", `${covered}px`);
}
