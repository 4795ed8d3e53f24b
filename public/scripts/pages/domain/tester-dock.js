import { part } from "../../shared/page/template.js";

/** The place of the tester: beside the parts, or on a narrow screen in a bar at the bottom that opens on a press. */
export class TesterDock {
    #root;
    #toggle;

    constructor(main) {
        this.#root = part(main, "tester-dock");
        this.#toggle = part(this.#root, "tester-toggle");
        this.#toggle.addEventListener("click", () => (this.#isOpen ? this.close() : this.open()));
        this.#root.addEventListener("keydown", ({ key }) => key === "Escape" && this.#isOpen && this.#dismiss());
    }

    open() {
        this.#toggle.setAttribute("aria-expanded", "true");
    }

    close() {
        this.#toggle.setAttribute("aria-expanded", "false");
    }

    get #isOpen() {
        return this.#toggle.getAttribute("aria-expanded") === "true";
    }

    #dismiss() {
        this.close();
        if (this.#toggle.checkVisibility()) this.#toggle.focus();
    }
}
