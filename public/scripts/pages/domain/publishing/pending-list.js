import { publishAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { later } from "../../../components/later.js";
import { focusNeighbour, keepingFocus } from "../../../shared/page/focus.js";
import { onPress } from "../../../shared/forms/press.js";
import { words } from "../../../shared/api/problem.js";
import { showState } from "../../../shared/words/states.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { showDue } from "../../../shared/times/due-time.js";
import { bypassWords } from "../../../components/publications/bypass.js";
import { reachWords } from "../../../components/publications/effective-by.js";
import { pendingReleaseItem } from "./pending-releases.js";
import { isHeld, standingOf } from "../../../components/publications/publication.js";
import { showSteps } from "../../../components/publications/publication-steps.js";
import { versionAct } from "../../../components/publications/version-act.js";
import { heldWords } from "../../../components/publications/waiting.js";

/** The domain's pending publications and releases. A publication can be cancelled here, a release on its own page. */
export class PendingList {
    #page;
    #root;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "pending");
        page.pending.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const { pending, session } = this.#page;
        const { publications, releases } = pending;
        this.#root.hidden = publications.length + releases.length === 0;
        const rows = [
            ...publications.map((publication) => this.#row(publication)),
            ...releases.map((release) => pendingReleaseItem(release, session.organization)),
        ];
        const list = part(this.#root, "list");
        keepingFocus(list, () => list.replaceChildren(...rows));
    }

    /** Keeps the row of a pending publication, so that its focus is kept. */
    #row(publication) {
        const { version, reverts, follows, requestedBy, message, at: due } = publication;
        const known = part(this.#root, "list").querySelector(`[data-id="${publication.id}"]`);
        const row = known ?? this.#newRow(publication);
        const before = this.#page.pending.publications.find((other) => other.id === follows);
        part(row, "version").textContent = `Version ${version}`;
        showState(part(row, "state"), standingOf(publication));
        showDue(part(row, "due"), due, "Now");
        fill(row, { reach: reachWords(publication) });
        part(row, "reach").classList.toggle("is-late", Boolean(publication.late));
        part(row, "after").textContent = [
            reverts && "Rolls back the previous change.",
            before && `Waits for version ${before.version} to go live.`,
        ]
            .filter(Boolean)
            .join(" ");
        fill(row, { overtaken: heldWords(publication), bypass: bypassWords(publication) });
        part(row, "again").hidden = !isHeld(publication) || Boolean(reverts);
        part(row, "again").textContent = `${versionAct(version, this.#page.head.live?.version)}…`;
        part(row, "requester").textContent = [requestedBy?.name, message && `“${message}”`].filter(Boolean).join(" · ");
        showSteps(part(row, "steps"), publication);
        return row;
    }

    #newRow(publication) {
        const row = clone("pending");
        row.dataset.id = publication.id;
        const button = part(row, "cancel");
        button.setAttribute("aria-label", `Cancel publication of version ${publication.version}`);
        const failed = (problem) => announce(words(problem));
        onPress(button, () => this.#cancel(publication), failed);
        const { host, version } = publication;
        part(row, "again").href = publishAddress(this.#page.session.organization.slug, { host, version });
        return row;
    }

    async #cancel({ host, id, version }) {
        const { confirm } = await later(() => import("../../../components/dialogs.js"));
        const isSure = await confirm({
            title: `Cancel the publication of version ${version}?`,
            detail: "The version is kept. Publications that wait for this one are cancelled or suspended.",
            action: "Cancel publication",
            keep: "Keep it",
        });
        if (!isSure) return;
        const index = [...part(this.#root, "list").children].findIndex((row) => row.dataset.id === id);
        await this.#page.api.delete(at`/domains/${host}/publications/${id}`);
        await this.#page.showLive();
        announce(`Publication of version ${version} cancelled.`);
        focusNeighbour(part(this.#root, "list").children, index, "cancel", part(this.#page.main, "versions-title"));
    }
}
