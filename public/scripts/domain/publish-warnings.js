import { afterPause } from "../later.js";
import { values } from "../form.js";
import { predecessorItem } from "../releases/predecessors.js";
import { clone, part, uniqueIDs } from "../template.js";
import { Newest } from "../validate/newest.js";
import { chosenTimes } from "./publish-times.js";
import { suspendedBy } from "./waiting.js";

/**
 * Warns in a dialog of publishing, before anything is made: which publications the chosen time suspends, and what goes
 * live before that time and so suspends this one, with the way to override that. `waiting` is what `waitingOn` gives.
 *
 * Only help: if something is not said yet or cannot be had, nothing is shown.
 */
export class PublishWarnings {
    #form;
    #page;
    #waiting;
    #newest = new Newest();
    #asked = null;

    constructor(form, page, waiting) {
        this.#form = form;
        this.#page = page;
        this.#waiting = waiting;
        part(form, "warnings").replaceChildren(uniqueIDs(clone("publish-warnings")));
        const askLater = afterPause(300, () => this.#ask());
        form.addEventListener("input", () => {
            this.#offerOverride();
            askLater();
        });
        this.#offerOverride();
        this.#ask();
    }

    /** Only what waits can be overtaken: what goes live now is live before anything else. */
    #offerOverride() {
        const { when, force } = this.#form.elements;
        part(this.#form, "force-choice").hidden = when.value === "now";
        if (when.value === "now") force.checked = false;
        this.#form.dispatchEvent(new Event("override"));
    }

    #ask() {
        const times = this.#times();
        const asked = JSON.stringify([times, this.#form.elements.force.checked]);
        if (asked === this.#asked) return;
        this.#asked = asked;
        this.#newest.stop();
        if (!times?.zone) return this.#show(times ? { at: null, precededBy: [] } : null);
        const { revertAt, ...due } = times;
        const question = { hosts: [this.#page.host], ...due };
        this.#newest.ask((signal) => this.#page.api.post("/release-previews", question, { signal }), {
            answered: ({ body }) => this.#show(body),
            failed: () => this.#show(null),
        });
    }

    /** The chosen times as the API takes them, `{}` for now, null while something is missing. */
    #times() {
        try {
            const { revertAt, takesBack, ...chosen } = values(this.#form);
            return chosenTimes(chosen);
        } catch {
            return null;
        }
    }

    #show(preview) {
        this.#showSuspended(preview ? suspendedBy(this.#waiting, preview.at) : [], Boolean(preview?.at));
        // It waits for another publication of this domain; the rest changes what is live while it waits.
        const changes = preview?.precededBy.filter(({ kind }) => ["release", "schedule"].includes(kind)) ?? [];
        this.#showPreceding(changes);
    }

    #showSuspended(lines, isLater) {
        part(this.#form, "suspends").hidden = lines.length === 0;
        part(this.#form, "suspends-words").textContent = `Publishing ${isLater ? "then" : "now"} will suspend:`;
        part(this.#form, "suspends-list").replaceChildren(
            ...lines.map(({ words }) => {
                const item = document.createElement("li");
                item.textContent = words;
                return item;
            }),
        );
    }

    #showPreceding(changes) {
        const { organization } = this.#page.session;
        part(this.#form, "preceded").hidden = changes.length === 0;
        part(this.#form, "preceded-words").textContent = this.#form.elements.force.checked
            ? "This changes the live version first. Your publication goes live anyway:"
            : "This changes the live version first and will suspend your publication, unless you override it:";
        part(this.#form, "preceded-list").replaceChildren(
            ...changes.map((each) => predecessorItem(each, organization.slug, { beside: true })),
        );
    }
}
