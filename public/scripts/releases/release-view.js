import { addressWithOrganization, releaseAddress } from "../addresses.js";
import { announce } from "../announce.js";
import { all, at } from "../api.js";
import { confirm } from "../dialogs.js";
import { dueWords } from "../domain/due-time.js";
import { follow } from "../follow.js";
import { onPress } from "../form.js";
import { meter } from "../meters.js";
import { words } from "../problem.js";
import { clone, part } from "../template.js";
import { openNewRelease } from "./new-release.js";
import { ReleaseDomains } from "./release-domains.js";
import {
    domainsOf,
    hasEnded,
    outcomeOf,
    placesOf,
    reachOf,
    releaseName,
    releaseStates,
    showState,
} from "./release-words.js";
import { openRollBack } from "./roll-back.js";

/** While it is judged or goes live, which no event tells step by step, in milliseconds; then how it spreads, at most. */
const look = 1_000;
const longestLook = 30_000;
/** The domains of a list that is released again; a longer one is made by a label. */
const mostAgain = 2_000;

/** One release: how far it is, what became of each domain, where it has got to, and what can be done about it. */
export class ReleaseView {
    #main;
    #session;
    #id;
    #root;
    #domains;
    #release;

    constructor(main, session, id) {
        this.#main = main;
        this.#session = session;
        this.#id = id;
        this.#root = part(main, "release-view");
        this.#domains = new ReleaseDomains(this.#root, session, id);
        part(this.#root, "all").href = addressWithOrganization("/releases", session.organization.slug);
        const failed = (error) => announce(words(error));
        onPress(part(this.#root, "cancel"), () => this.#cancel(), failed);
        onPress(part(this.#root, "roll-back"), () => openRollBack(session, this.#release), failed);
        onPress(part(this.#root, "again"), () => this.#again(), failed);
    }

    follow(place) {
        const { api } = this.#session;
        follow(api, { place, kind: "release", show: () => this.show(), failed: (error) => this.#failed(error) });
    }

    /** Shows what is known now; answers after how many milliseconds to look again. */
    async show() {
        const { body } = await this.#session.api.get(at`/releases/${this.#id}`);
        // Of two answers that cross, the one that knows less is dropped.
        if (this.#release && hasEnded(this.#release) && !hasEnded(body)) return look;
        this.#release = body;
        this.#showHead(body);
        this.#showSteps(body);
        this.#showTimes(body);
        this.#showReach(body);
        this.#root.hidden = false;
        await this.#domains.show(body);
        return nextLook(body);
    }

    #showHead(release) {
        const { state, takesBack, dryRun, requestedBy, reason } = release;
        document.title = `${releaseName(release)} · Waymark`;
        part(this.#root, "title").textContent = releaseName(release);
        showState(part(this.#root, "state"), releaseStates[state]);
        const facts = [domainsOf(release), `by ${requestedBy.name}`, dryRun && "check only", reason && `“${reason}”`];
        part(this.#root, "facts").textContent = facts.filter(Boolean).join(" · ");
        const other = part(this.#root, "takes-back");
        other.hidden = !takesBack;
        if (takesBack) other.href = releaseAddress(this.#session.organization.slug, takesBack);
        const outcome = outcomeOf(release);
        part(this.#root, "outcome").dataset.tone = outcome.tone;
        const said = part(this.#root, "outcome-words");
        if (said.textContent !== outcome.words) said.textContent = outcome.words;
        part(this.#root, "cancel").hidden = hasEnded(release);
        part(this.#root, "roll-back").hidden = state !== "live" || !release.rollback.back;
        part(this.#root, "again").hidden = !isWorthAnother(release);
        part(this.#root, "again").textContent = state === "judged" ? "Publish these…" : "Release again…";
    }

    #showSteps({ domains, dryRun, state, takesBack }) {
        const { total, waiting, refused, unchanged, staying, live } = domains;
        const going = total - refused - unchanged - staying;
        const frozen = domains.frozen + domains.moved + live;
        const judged = meter({ name: "Judged", done: total - waiting, total });
        const ends = dryRun || ["refused", "unchanged"].includes(state);
        const rest = [
            meter({ name: takesBack ? "Ready" : "Frozen", done: frozen, total: going }),
            meter({ name: "Live", done: live, total: going }),
        ];
        part(this.#root, "steps").replaceChildren(judged, ...(ends ? [] : rest));
    }

    #showTimes({ createdAt, at: due, startedAt, endedAt, state }) {
        const times = [
            ["Asked for", createdAt],
            ["Due", due],
            ["Began to go live", startedAt],
            [state === "live" ? "Went live" : "Ended", endedAt],
        ];
        const rows = times.filter(([, time]) => time).map(([what, time]) => {
            return clone("release-time", { what, when: dueWords(time) });
        });
        part(this.#root, "times").replaceChildren(...rows);
    }

    #showReach(release) {
        part(this.#root, "reach").hidden = release.state !== "live";
        if (release.state !== "live") return;
        part(this.#root, "reach-words").textContent = reachOf(release);
        part(this.#root, "places").replaceChildren(
            ...placesOf(release).map(({ name, kind, domains }) => {
                return meter({ name, kind, done: domains, total: release.domains.live });
            }),
        );
    }

    async #cancel() {
        const isSure = await confirm({
            title: "Cancel this release?",
            detail: "Nothing of it goes live, on any of its domains. Versions that have been frozen stay.",
            action: "Cancel the release",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/releases/${this.#id}`);
        await this.show();
    }

    /** The same domains once more, as they are by now. */
    async #again() {
        const { label, message, domains } = this.#release;
        const isListed = !label && domains.total <= mostAgain;
        const listed = isListed ? await all(this.#session.api, at`/releases/${this.#id}/domains`) : [];
        const chosen = { label, hosts: listed.map(({ host }) => host) };
        openNewRelease(this.#session, { chosen, message });
    }

    #failed(error) {
        const problem = part(this.#main, "problem");
        problem.hidden = !error;
        if (error) problem.textContent = words(error);
    }
}

/** What has not gone live may be asked for again; going back is asked for where the release is that is taken back. */
function isWorthAnother({ state, takesBack }) {
    return !takesBack && ["judged", "refused", "failed", "cancelled", "suspended"].includes(state);
}

function nextLook(release) {
    const { state, endedAt, domains } = release;
    if (["judging", "running"].includes(state)) return look;
    const isSpreading = state === "live" && placesOf(release).some((place) => place.domains < domains.live);
    if (!isSpreading) return 0;
    const age = Date.now() - Date.parse(endedAt);
    return Math.min(longestLook, Math.max(look, age / 10));
}
