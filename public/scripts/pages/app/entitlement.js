import { copies } from "../../shared/page/clipboard.js";
import { onPress } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { number } from "../../shared/words/numbers.js";
import { clone, fill, part } from "../../shared/page/template.js";

/** The order of the services in the entitlement; others come last. */
const order = ["applinks", "webcredentials", "appclips", "activitycontinuation"];
const opening = "<key>com.apple.developer.associated-domains</key>\n<array>\n";
const closing = "</array>\n";

/** The entitlement `com.apple.developer.associated-domains` of the app, to paste into Xcode. */
export class Entitlement {
    #root;
    #uses = [];

    /** `showAll` loads the domains that the list has not loaded yet. */
    constructor(main, { showAll }) {
        this.#root = part(main, "entitlement");
        const failed = (problem) => fill(this.#root, { limit: words(problem) });
        onPress(part(this.#root, "all"), showAll, failed);
        for (const box of ["developer", "live-only"]) part(this.#root, box).addEventListener("change", () => this.#draw());
        copies(part(this.#root, "copy"), () => opening + this.#lines.map(({ text }) => `${text}\n`).join("") + closing);
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
        const marked = ({ text, isDrafted }) => (isDrafted ? [text, clone("only-in-draft"), "\n"] : [`${text}\n`]);
        part(this.#root, "text").replaceChildren(opening, ...this.#lines.flatMap(marked), closing);
        part(this.#root, "live-only-choice").hidden = !this.#uses.flatMap(servicesOf).some(({ isDrafted }) => isDrafted);
    }

    get #lines() {
        const mode = part(this.#root, "developer").checked ? "?mode=developer" : "";
        const isLiveOnly = part(this.#root, "live-only").checked;
        return this.#uses.flatMap((use) =>
            servicesOf(use)
                .filter(({ isDrafted }) => !isDrafted || !isLiveOnly)
                .map(({ service, isDrafted }) => ({
                    text: `    <string>${service}:${use.host}${mode}</string>`,
                    isDrafted,
                })),
        );
    }
}

/**
 * The services that name the app, in the draft or in the live file: `{ service, isDrafted }`. A file that is still live
 * keeps its line. `isDrafted` marks a service that the live file does not have yet.
 */
function servicesOf({ draft, live }) {
    const lived = live?.services ?? [];
    const services = new Set([...(draft?.services ?? []), ...lived]);
    const place = (service) => (order.includes(service) ? order.indexOf(service) : order.length);
    const sorted = [...services].sort((a, b) => place(a) - place(b));
    return sorted.map((service) => ({ service, isDrafted: !lived.includes(service) }));
}
