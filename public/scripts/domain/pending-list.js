import { announce } from "../announce.js";
import { at } from "../api.js";
import { confirm } from "../dialogs.js";
import { keepingFocus } from "../focus.js";
import { onPress } from "../form.js";
import { freezeSentence } from "../freeze-words.js";
import { words } from "../problem.js";
import { clone, fill, part } from "../template.js";
import { dueWords } from "./due-time.js";
import { reachWords } from "./effective-by.js";
import { pendingReleaseItem, pendingReleases } from "./pending-releases.js";
import { publicationStates } from "./publication.js";
import { showSteps } from "./publication-steps.js";
import { obstacleWords } from "./waiting.js";

/**
 * What is to go live on the domain and has not yet: when, after what, how far it is; each can be called off, a release on
 * its own page.
 */
export class PendingList {
    #page;
    #root;
    #pending = [];

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "pending");
    }

    async show() {
        const { api, host, session } = this.#page;
        const path = at`/domains/${host}`;
        const [{ body }, releases] = await Promise.all([
            api.get(`${path}/publications`, { query: { state: "pending", limit: 200 } }),
            pendingReleases(api, host),
        ]);
        this.#pending = body.items.toSorted((a, b) => (a.at ?? "").localeCompare(b.at ?? ""));
        this.#root.hidden = this.#pending.length + releases.length === 0;
        const rows = [
            ...this.#pending.map((publication) => this.#row(publication)),
            ...releases.map((release) => pendingReleaseItem(release, session.organization)),
        ];
        const list = part(this.#root, "list");
        keepingFocus(list, () => list.replaceChildren(...rows));
    }

    /** A row is kept as long as its publication is pending: what has the focus in it keeps it. */
    #row(publication) {
        const { id, version, state, reverts, follows, requestedBy, message, freeze, at: due } = publication;
        const row = part(this.#root, "list").querySelector(`[data-id="${id}"]`) ?? this.#newRow(publication);
        const before = this.#pending.find((other) => other.id === follows);
        part(row, "version").textContent = `Version ${version}`;
        part(row, "state").textContent = state === "scheduled" && due ? "Scheduled" : publicationStates[state].words;
        part(row, "state").dataset.tone = publicationStates[state].tone;
        part(row, "due").textContent = due ? dueWords(due) : "At once";
        fill(row, { reach: reachWords(publication) });
        part(row, "reach").classList.toggle("is-late", Boolean(publication.late));
        part(row, "after").textContent = [
            reverts && "Takes the change before it back.",
            before && `Waits for version ${before.version} to go live.`,
            freeze && `It is suspended when it becomes due. ${freezeSentence(freeze)}`,
        ]
            .filter(Boolean)
            .join(" ");
        fill(row, { overtaken: obstacleWords(publication, before) });
        part(row, "requester").textContent = [requestedBy?.name, message && `“${message}”`].filter(Boolean).join(" · ");
        showSteps(part(row, "steps"), publication);
        return row;
    }

    #newRow(publication) {
        const row = clone("pending");
        row.dataset.id = publication.id;
        const button = part(row, "cancel");
        button.setAttribute("aria-label", `Cancel the publication of version ${publication.version}`);
        onPress(button, () => this.#cancel(publication), (problem) => announce(words(problem)));
        return row;
    }

    async #cancel({ host, id, version }) {
        const isSure = await confirm({
            title: `Cancel the publication of version ${version}?`,
            detail: "The version stays. What waits for this publication is called off with it, or suspended.",
            action: "Cancel the publication",
        });
        if (!isSure) return;
        await this.#page.api.delete(at`/domains/${host}/publications/${id}`);
        await this.#page.showLive();
        announce(`The publication of version ${version} is cancelled.`);
    }
}
