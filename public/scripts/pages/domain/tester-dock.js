import { part } from "../../shared/page/template.js";

const setting = "waymark-tester";

/**
 * The place of the tester: beside the rules and the tests. Beside the other parts it is a slim bar that opens on a press,
 * and stays as the user left it. On a narrow screen it is a bar at the bottom of every part.
 */
export class TesterDock {
    #main;
    #root;
    #toggle;

    constructor(main) {
        this.#main = main;
        this.#root = part(main, "tester-dock");
        this.#toggle = part(this.#root, "tester-toggle");
        this.#toggle.addEventListener("click", () => this.#press());
        if (isBeside() && localStorage.getItem(setting) === "open") this.open();
        this.#root.addEventListener("click", ({ target }) => target.closest("[href^='#rule']") && this.close());
        this.#root.addEventListener("keydown", ({ key }) => key === "Escape" && this.#isOpen && this.#dismiss());
    }

    open() {
        this.#show(true);
    }

    close() {
        this.#show(false);
    }

    #show(isOpen) {
        this.#toggle.ariaExpanded = isOpen;
        this.#main.dataset.tester = isOpen ? "open" : "closed";
    }

    get #isOpen() {
        return this.#main.dataset.tester === "open";
    }

    #press() {
        if (this.#isOpen) this.close();
        else this.open();
        if (isBeside()) localStorage.setItem(setting, this.#isOpen ? "open" : "closed");
    }

    #dismiss() {
        this.close();
        if (this.#toggle.checkVisibility()) this.#toggle.focus();
    }
}

function isBeside() {
    return matchMedia("(width >= 68rem)").matches;
}
