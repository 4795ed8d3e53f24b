import { chosenTimes } from "../../../components/publications/publish-times.js";
import { values } from "../../../shared/forms/form.js";
import { afterPause } from "../../../shared/following/later.js";
import { Newest } from "../../../shared/following/newest.js";
import { showPredecessors } from "../../../components/publications/predecessors.js";

/**
 * Shows in the form of a release which changes come before it, once a time and domains are chosen. Shows nothing while
 * a field is missing or if the preview cannot be loaded; the form never waits for it.
 */
export class ReleaseWarnings {
    #form;
    #session;
    #choice;
    #newest = new Newest();
    #asked = null;

    constructor(form, session, choice) {
        this.#form = form;
        this.#session = session;
        this.#choice = choice;
        form.addEventListener("input", afterPause(400, () => this.#update()));
    }

    #update() {
        const wanted = this.#wanted();
        const override = this.#form.elements.override.checked;
        const asked = JSON.stringify([wanted, override]);
        if (asked === this.#asked) return;
        this.#asked = asked;
        this.#newest.stop();
        if (!wanted) return this.#show([], override);
        this.#newest.ask((signal) => this.#session.api.post("/release-previews", wanted, { signal }), {
            answered: ({ body }) => this.#show(body.precededBy, override),
            failed: () => this.#show([], override),
        });
    }

    /** The question to the API; null while a field is missing, or if the release is due now. */
    #wanted() {
        try {
            const times = chosenTimes(values(this.#form));
            return times.zone ? { ...this.#choice.chosen, ...times } : null;
        } catch {
            return null;
        }
    }

    #show(precededBy, override) {
        const { organization } = this.#session;
        showPredecessors(this.#form, { precededBy, override, isMade: false }, organization);
    }
}
