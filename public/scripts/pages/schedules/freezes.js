import { announce } from "../../components/announce.js";
import { all, at } from "../../shared/api/api.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { inUTC } from "../../shared/times/due-time.js";
import { onPress, onSubmit, values } from "../../shared/forms/form.js";
import { countDomainsOf } from "../../shared/forms/label-count.js";
import { showTime } from "../../shared/times/moments.js";
import { Problem, words } from "../../shared/api/problem.js";
import { clone, label, part } from "../../shared/page/template.js";
import { capitalised, coveredWords, freezeSentence } from "../../shared/words/freeze-words.js";

const endedShown = 50;

/** Freezes: the active ones at the top of the page, each with a button to end it, the ended ones below. */
export class Freezes {
    #api;
    #main;
    #changed;
    #shown = null;

    /** `changed` is called when a freeze has started or ended, and updates the page. */
    constructor(main, session, { changed }) {
        this.#api = session.api;
        this.#main = main;
        this.#changed = changed;
        onPress(part(main, "freeze"), () => this.#openForm(), (error) => announce(words(error)));
    }

    /** Returns whether a freeze has started or ended since the last time. */
    async show() {
        const [current, ended] = await Promise.all([
            all(this.#api, "/freezes", { query: { state: "current" } }),
            this.#api.get("/freezes", { query: { state: "ended", limit: endedShown } }),
        ]);
        const found = JSON.stringify([current, ended.body.items]);
        if (found === this.#shown) return false;
        this.#shown = found;
        part(this.#main, "current-freezes").replaceChildren(...current.map((freeze) => this.#notice(freeze)));
        part(this.#main, "ended-freezes").hidden = ended.body.items.length === 0;
        part(this.#main, "ended-list").replaceChildren(...ended.body.items.map(endedItem));
        return true;
    }

    #notice(freeze) {
        const notice = clone("current-freeze", {
            covered: `Frozen: ${coveredWords(freeze)}.`,
            sentence: freezeSentence(freeze),
            creator: `Set by ${freeze.createdBy.name}.`,
        });
        const end = label(notice, "end", `End freeze of ${coveredWords(freeze)}`);
        onPress(end, () => this.#end(freeze), (error) => announce(words(error)));
        return notice;
    }

    #openForm() {
        const { dialog, part: own } = openDialog("freeze-form");
        const form = own("form");
        this.#offerLabels(own("labels"));
        countDomainsOf(form.elements.label, own("label-count"), this.#api);
        form.addEventListener("input", () => {
            own("label-field").hidden = form.elements.covers.value !== "label";
            const until = form.elements.endsAt.value;
            own("utc").textContent = until ? inUTC(new Date(until)) : "Enter your local time. UTC appears here.";
        });
        onSubmit(form, async (typed) => {
            const { body: freeze } = await this.#api.post("/freezes", bodyOf(typed));
            dialog.close();
            announce(`Freeze started: ${coveredWords(freeze)}.`);
            await this.#changed();
        });
    }

    /** Only suggestions: a failure leaves them empty. */
    async #offerLabels(suggestions) {
        const domains = await all(this.#api, "/domains", { limit: 1_000 }).catch(() => []);
        const labels = new Set(domains.flatMap((domain) => domain.labels));
        suggestions.append(...[...labels].sort().map((name) => new Option(name, name)));
    }

    async #end(freeze) {
        const isSure = await confirm({
            title: `End freeze of ${coveredWords(freeze)}?`,
            detail: "Schedules run again from now on. Publications that were suspended during the freeze stay suspended.",
            action: "End freeze",
        });
        if (!isSure) return;
        await this.#api.delete(at`/freezes/${freeze.id}`);
        announce("Freeze ended.");
        await this.#changed();
        part(this.#main, "freeze").focus();
    }
}

function endedItem(freeze) {
    const { reason, createdBy, createdAt, endsAt, liftedAt, liftedBy } = freeze;
    const by = [`Set by ${createdBy.name}`, liftedBy && `ended early by ${liftedBy.name}`].filter(Boolean);
    const item = clone("ended-freeze", { covered: capitalised(coveredWords(freeze)), reason, by: by.join(", ") });
    showTime(part(item, "from"), createdAt);
    showTime(part(item, "until"), liftedAt ?? endsAt);
    return item;
}

function bodyOf({ covers, label: name, endsAt, reason }) {
    return {
        ...(covers === "label" && { label: name ?? "" }),
        endsAt: endsAt ? moment(endsAt) : missing("/endsAt", "Enter when the freeze ends."),
        reason: reason ?? missing("/reason", "Enter a reason. Everyone who publishes sees it."),
    };
}

/** A control's local date and time as RFC 3339 in UTC, to the second. */
function moment(local) {
    return `${new Date(local).toISOString().slice(0, 19)}Z`;
}

function missing(pointer, detail) {
    throw new Problem({ code: "invalid", errors: [{ pointer, detail }] });
}
