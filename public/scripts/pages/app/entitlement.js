import { copies } from "../../shared/page/clipboard.js";
import { onPress } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { number } from "../../shared/words/numbers.js";
import { fill, part } from "../../shared/page/template.js";

/** The order of the services in the entitlement; others come last. */
const order = ["applinks", "webcredentials", "appclips", "activitycontinuation"];

/** The entitlement `com.apple.developer.associated-domains` of the app, to paste into Xcode. */
export class Entitlement {
    #root;
    #uses = [];

    /** `showAll` loads the domains that the list has not loaded yet. */
    constructor(main, { showAll }) {
        this.#root = part(main, "entitlement");
        const failed = (problem) => fill(this.#root, { limit: words(problem) });
        onPress(part(this.#root, "all"), showAll, failed);
        part(this.#root, "developer").setAttribute("aria-describedby", "developer-hint");
        part(this.#root, "developer").addEventListener("change", () => this.#draw());
        copies(part(this.#root, "copy"), () => this.#text);
        this.#draw();
    }

    /** `isAll` is false if there are domains that the list has not loaded yet. */
    show(uses, { isAll }) {
        this.#uses = uses;
        fill(this.#root, { limit: isAll ? null : `These are only the first ${number(uses.length)} domains.` });
        part(this.#root, "all").hidden = isAll;
        this.#draw();
    }

    #draw() {
        part(this.#root, "text").textContent = this.#text;
    }

    get #text() {
        const mode = part(this.#root, "developer").checked ? "?mode=developer" : "";
        const lines = this.#uses.flatMap((use) => servicesOf(use).map((service) => `${service}:${use.host}${mode}`));
        const strings = lines.map((line) => `    <string>${line}</string>\n`).join("");
        return `<key>com.apple.developer.associated-domains</key>\n<array>\n${strings}</array>\n`;
    }
}

/** The services that name the app, in the draft or in the live file: a file that is still live keeps its line. */
function servicesOf({ draft, live }) {
    const services = new Set([...(draft?.services ?? []), ...(live?.services ?? [])]);
    const place = (service) => (order.includes(service) ? order.indexOf(service) : order.length);
    return [...services].sort((a, b) => place(a) - place(b));
}
