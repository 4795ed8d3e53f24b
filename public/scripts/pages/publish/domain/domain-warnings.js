import { at } from "../../../shared/api/api.js";
import { values } from "../../../shared/forms/form.js";
import { afterPause } from "../../../shared/following/later.js";
import { predecessorItem } from "../../../components/publications/predecessors.js";
import { part } from "../../../shared/page/template.js";
import { Newest } from "../../../shared/following/newest.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { chosenTimes } from "../../../components/publications/publish-times.js";

/**
 * Warns before anything is created: which publications this one suspends, and which publications, releases and
 * schedules go live first. Some of them suspend it, unless it overrides that.
 *
 * Shows nothing while a field is missing or if the preview cannot be loaded.
 */
export class DomainWarnings {
    #form;
    #page;
    #checkFor;
    #newest = new Newest();
    #asked = null;

    /** `checkFor` is called with the time when it would be due, null for now, whenever that is known. */
    constructor(form, page, checkFor) {
        this.#form = form;
        this.#page = page;
        this.#checkFor = checkFor;
        form.addEventListener("input", afterPause(300, () => this.#ask()));
        this.#ask();
    }

    /** Asks again, after a change of the domain. */
    update() {
        this.#asked = null;
        this.#ask();
    }

    #ask() {
        const times = this.#times();
        const question = times && { ...times, override: this.#form.elements.override.checked };
        const asked = JSON.stringify(question);
        if (asked === this.#asked) return;
        this.#asked = asked;
        this.#newest.stop();
        if (!question) return this.#show(null);
        const { api, host } = this.#page;
        this.#newest.ask((signal) => api.post(at`/domains/${host}/publication-previews`, question, { signal }), {
            answered: ({ body }) => (this.#show(body), this.#checkFor(body.at)),
            failed: () => this.#show(null),
        });
    }

    /** The chosen times as the API takes them, `{}` for now, null while something is missing. */
    #times() {
        try {
            return chosenTimes(values(this.#form));
        } catch {
            return null;
        }
    }

    #show(preview) {
        this.#showSuspended(preview?.suspends ?? [], Boolean(preview?.at));
        this.#showPreceding(preview?.precededBy ?? [], preview?.follows, heldLines(preview ?? {}));
    }

    #showSuspended(waiting, isLater) {
        part(this.#form, "suspends").hidden = waiting.length === 0;
        part(this.#form, "suspends-words").textContent = `Publishing ${isLater ? "then" : "now"} will suspend:`;
        part(this.#form, "suspends-list").replaceChildren(...waiting.map((each) => lineOf(waitingWords(each))));
    }

    /** `followed` is the pending publication that goes live first without suspending this one, or null. */
    #showPreceding(changes, followed, held) {
        const { host, session } = this.#page;
        const isFollowing = followed?.kind === "publication" && followed.at;
        const items = changes.map((each) => predecessorItem(each, session.organization.slug));
        if (isFollowing) {
            items.unshift(predecessorItem({ ...followed, host }, session.organization.slug));
            part(items[0], "words").append(", and yours follows it");
        }
        part(this.#form, "predecessors").hidden = items.length + held.length === 0;
        const overrides = this.#form.elements.override.checked;
        part(this.#form, "predecessors-words").textContent = precedingWords(changes, overrides);
        part(this.#form, "predecessor-list").replaceChildren(...items, ...held.map(lineOf));
    }
}

/** Why it will not go live, unless an earlier change in the list says so, and why it will not be rolled back. */
function heldLines({ at: due, precededBy = [], blockedReason, revertBlockedReason }) {
    const isStopped = due && blockedReason && precededBy.length === 0;
    return [
        isStopped && `It will be suspended, unless you override it: ${blockedReason}.`,
        revertBlockedReason && `It will not be rolled back automatically: ${revertBlockedReason}.`,
    ].filter(Boolean);
}

function precedingWords(changes, overrides) {
    if (changes.length === 0) return "Currently:";
    if (overrides) return "This changes the live version first. Your publication goes live anyway:";
    return "This changes the live version first and will suspend your publication, unless you override it:";
}

function waitingWords({ kind, name, at: due }) {
    const when = due ? `due at ${dueWords(due)}` : "as soon as it is ready";
    if (kind === "release") return `All of ${name}, ${when}`;
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}, ${when}`;
}

function lineOf(text) {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
}
