import { releaseAddress } from "../../shared/page/addresses.js";
import { at } from "../../shared/api/api.js";
import { dueWords } from "../../shared/times/due-time.js";
import { keepingFocus } from "../../shared/page/focus.js";
import { follow } from "../../shared/following/follow.js";
import { onPress } from "../../shared/forms/form.js";
import { firstRows, KeptPlace } from "../../shared/page/kept-place.js";
import { showMoment } from "../../shared/times/moments.js";
import { NextLook } from "../../shared/following/next-look.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";
import {
    countsOf,
    domainsOf,
    hasEnded,
    reachOf,
    releaseName,
    spreadOf,
    standingOf,
} from "../../shared/words/release-words.js";
import { releaseStates, showState } from "../../shared/words/states.js";

const pageSize = 25;
/** The number of newest live releases whose delivery is shown. */
const maximumDeliveries = 5;

/** The organization's releases, newest first. The chosen state is in the page's address. */
export class ReleaseList {
    #main;
    #session;
    #root;
    #states;
    #wanted = pageSize;
    #place;
    #turn = 0;
    #searching = new Newest();
    /** The words for releases that have reached every place: they are not loaded again. */
    #reached = new Map();
    #nextLook = new NextLook();

    constructor(main, session) {
        this.#main = main;
        this.#session = session;
        this.#root = part(main, "list-view");
        this.#root.hidden = false;
        this.#states = part(this.#root, "states");
        this.#place = new KeptPlace(part(this.#root, "list"));
        this.#wanted = Math.max(pageSize, this.#place.rows);
        this.#states.append(...Object.entries(releaseStates).map(([state, { words }]) => new Option(words, state)));
        this.#states.value = new URLSearchParams(location.search).get("state") ?? "";
        part(this.#root, "filters").addEventListener("submit", (event) => event.preventDefault());
        this.#states.addEventListener("change", () => this.#changed());
        onPress(part(this.#root, "more"), () => this.#showMore(), (error) => this.#failed(error));
    }

    follow(place) {
        const { api } = this.#session;
        follow(api, { place, kind: "release", show: () => this.show(), failed: (error) => this.#failed(error) });
    }

    /** Shows the list. Returns after how many milliseconds to look again. */
    async show() {
        const turn = ++this.#turn;
        const { items, next } = await this.#load();
        // A newer request replaces this one; following continues.
        if (turn !== this.#turn) return this.#nextLook.after([turn]);
        const list = part(this.#root, "list");
        const isFirst = list.childElementCount === 0;
        keepingFocus(list, () => list.replaceChildren(...items.map((release) => this.#row(release))));
        if (isFirst) this.#place.restore();
        part(this.#root, "loading").hidden = true;
        part(this.#root, "more").hidden = !next;
        const isNarrowed = this.#states.value !== "";
        part(this.#root, "nothing-found").hidden = items.length > 0 || !isNarrowed;
        const isEmpty = items.length === 0 && !isNarrowed;
        part(this.#root, "empty").hidden = !isEmpty;
        part(this.#root, "filters").hidden = isEmpty;
        const judged = items.filter(({ state }) => state === "judging").map(({ id, domains }) => [id, domains]);
        const moving = [...judged, ...(await this.#showReaches(items, turn))];
        return this.#nextLook.after(moving.length ? moving : null);
    }

    async #load() {
        const ask = async (page) => {
            const query = { state: this.#states.value, ...page };
            return (await this.#session.api.get("/releases", { query })).body;
        };
        return firstRows(ask, pageSize, this.#wanted);
    }

    #row(release) {
        const { id, state, requestedBy, createdAt, endedAt, rollsBack, rolledBackBy, dryRun, at: due } = release;
        const notes = [
            release.message && domainsOf(release),
            rollsBack && "rolls back another release",
            rolledBackBy && "rolled back by another release",
            dryRun && "check only",
            due && !hasEnded(release) && `due at ${dueWords(due)}`,
        ];
        const row = clone("release-row", {
            name: releaseName(release),
            note: notes.filter(Boolean).join(" · "),
            counts: countsOf(release),
            requester: requestedBy.name,
        });
        row.dataset.key = id;
        part(row, "name").href = releaseAddress(this.#session.organization.slug, id);
        showState(part(row, "state"), standingOf(release));
        showMoment(part(row, "time"), endedAt ?? createdAt);
        return row;
    }

    /**
     * Shows the delivery of live releases: a request each, so only for the newest. Returns those not everywhere yet.
     */
    async #showReaches(releases, turn) {
        const spreading = [];
        for (const { id } of releases.filter(({ state }) => state === "live").slice(0, maximumDeliveries)) {
            let reach = this.#reached.get(id);
            if (!reach) {
                const { body } = await this.#session.api.get(at`/releases/${id}`);
                if (turn !== this.#turn) return [];
                reach = reachOf(body);
                const spread = spreadOf(body);
                if (spread) spreading.push([id, spread]);
                else this.#reached.set(id, reach);
            }
            fill(part(this.#root, "list").querySelector(`[data-key="${id}"]`), { reach });
        }
        return spreading;
    }

    async #showMore() {
        this.#wanted = part(this.#root, "list").childElementCount + pageSize;
        await this.show();
        this.#place.keep();
    }

    async #changed() {
        const address = new URL(location.href);
        if (this.#states.value) address.searchParams.set("state", this.#states.value);
        else address.searchParams.delete("state");
        history.replaceState(null, "", address);
        this.#wanted = pageSize;
        await this.#searching.ask(() => this.show(), {
            answered: () => this.#failed(null),
            failed: (error) => this.#failed(error),
        });
    }

    #failed(error) {
        const problem = part(this.#main, "problem");
        problem.hidden = !error;
        if (error) problem.textContent = words(error);
    }
}
