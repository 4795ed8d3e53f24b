import { addressWithOrganization, publishAddress, releaseAddress } from "../../shared/page/addresses.js";
import { announce } from "../../components/announce.js";
import { at } from "../../shared/api/api.js";
import { confirm } from "../../components/dialogs.js";
import { dueWords } from "../../shared/times/due-time.js";
import { reachWords } from "../../components/publications/effective-by.js";
import { follow } from "../../shared/following/follow.js";
import { showMoment } from "../../shared/times/moments.js";
import { onPress } from "../../shared/forms/form.js";
import { freezeSentence } from "../../shared/words/freeze-words.js";
import { meter } from "../../components/meters.js";
import { NextLook } from "../../shared/following/next-look.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { showPredecessors } from "../../components/publications/predecessors.js";
import { ReleaseDomains } from "./release-domains.js";
import {
    domainsOf,
    hasEnded,
    outcomeOf,
    placesOf,
    reachOf,
    releaseName,
    sentence,
    spreadOf,
    standingOf,
} from "../../shared/words/release-words.js";
import { showState } from "../../shared/words/states.js";

/** Kinds of events that may change a release or block it. */
const mayConcern = [
    "release",
    "freeze",
    "withdrawal",
    "schedule",
    "publication.created",
    "publication.cancelled",
    "publication.live",
];

/** One release: its progress, its domains, its delivery, and its actions. */
export class ReleaseView {
    #main;
    #session;
    #id;
    #root;
    #domains;
    #release;
    #nextLook = new NextLook();

    constructor(main, session, id) {
        this.#main = main;
        this.#session = session;
        this.#id = id;
        this.#root = part(main, "release-view");
        this.#domains = new ReleaseDomains(this.#root, session, id);
        part(this.#root, "all").href = addressWithOrganization("/releases", session.organization.slug);
        const failed = (error) => announce(words(error));
        onPress(part(this.#root, "cancel"), () => this.#cancel(), failed);
        part(this.#root, "roll-back").href = publishAddress(session.organization.slug, { rollBack: id });
        part(this.#root, "again").href = publishAddress(session.organization.slug, { again: id });
    }

    follow(place) {
        follow(this.#session.api, {
            place,
            kind: mayConcern,
            concerns: (event) => this.#isConcernedBy(event),
            show: () => this.show(),
            failed: (error) => this.#failed(error),
        });
    }

    /** Its own events and those of its rollback; while it is scheduled, all that may block it. */
    #isConcernedBy({ subject, detail }) {
        if (this.#release?.at && !hasEnded(this.#release)) return true;
        return [subject, detail.rollsBack].includes(this.#id);
    }

    /** Shows the release. Returns after how many milliseconds to look again. */
    async show() {
        const { body } = await this.#session.api.get(at`/releases/${this.#id}`);
        // A late answer from before the end is ignored.
        if (this.#release && hasEnded(this.#release) && !hasEnded(body)) return this.#nextLook.after(body.domains);
        this.#release = body;
        this.#showHead(body);
        this.#showSteps(body);
        this.#showTimes(body);
        this.#showReach(body);
        this.#root.hidden = false;
        await this.#domains.show(body);
        return this.#nextLook.after(body.state === "judging" ? body.domains : spreadOf(body));
    }

    #showHead(release) {
        const { state, rollsBack, rolledBackBy, dryRun, requestedBy, reason, override, bypassApproval } = release;
        document.title = `${releaseName(release)} · Waymark`;
        part(this.#root, "title").textContent = releaseName(release);
        showState(part(this.#root, "state"), standingOf(release));
        const facts = [
            domainsOf(release),
            `by ${requestedBy.name}`,
            dryRun && "check only",
            override && "overrides the checks",
            bypassApproval && "without the required approvals",
            reason && `“${reason}”`,
        ];
        part(this.#root, "facts").textContent = facts.filter(Boolean).join(" · ");
        this.#showLink("rolls-back", rollsBack);
        this.#showLink("rolled-back", rolledBackBy);
        const outcome = outcomeOf(release);
        part(this.#root, "outcome").dataset.tone = outcome.tone;
        const said = part(this.#root, "outcome-words");
        if (said.textContent !== outcome.words) said.textContent = outcome.words;
        fill(this.#root, { held: heldWords(release) });
        showPredecessors(this.#root, { ...release, isMade: !dryRun }, this.#session.organization);
        part(this.#root, "cancel").hidden = hasEnded(release);
        part(this.#root, "roll-back").hidden = state !== "live" || !release.rollback.back;
        part(this.#root, "again").hidden = !isWorthAnother(release);
        part(this.#root, "again").textContent = state === "judged" ? "Publish these…" : "Release again…";
    }

    #showLink(name, id) {
        const link = part(this.#root, name);
        link.hidden = !id;
        if (id) link.href = releaseAddress(this.#session.organization.slug, id);
    }

    #showSteps({ domains, dryRun, state }) {
        const { total, waiting, refused, unchanged, staying, live } = domains;
        const going = total - refused - unchanged - staying;
        const ready = domains.frozen + domains.moved + live;
        const judged = meter({ name: "Checked", done: total - waiting, total });
        const ends = dryRun || ["refused", "unchanged"].includes(state);
        const rest = [
            meter({ name: "Ready", done: ready, total: going }),
            meter({ name: "Live", done: live, total: going }),
        ];
        part(this.#root, "steps").replaceChildren(judged, ...(ends ? [] : rest));
    }

    #showTimes(release) {
        const { createdAt, at: due, startedAt, endedAt, state } = release;
        const times = [
            ["Created", createdAt],
            ["Due", due],
            ["Started", startedAt],
            [state === "live" ? "Went live" : "Ended", endedAt],
        ];
        const rows = times.filter(([, time]) => time).map(([what, time]) => {
            const row = clone("release-time", { what });
            showMoment(part(row, "when"), time, dueWords(time));
            return row;
        });
        part(this.#root, "times").replaceChildren(...rows);
        fill(this.#root, { "effective-by": reachWords(release) });
        part(this.#root, "effective-by").classList.toggle("is-late", Boolean(release.late));
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
            detail: "None of its domains changes. Versions created so far are kept.",
            action: "Cancel release",
            keep: "Keep it",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/releases/${this.#id}`);
        await this.show();
    }

    #failed(error) {
        const problem = part(this.#main, "problem");
        problem.hidden = !error;
        if (error) problem.textContent = words(error);
    }
}

/** Why it will not go live when it is due, in the current state; null if it will. */
function heldWords({ freeze, blockedReason }) {
    if (!freeze && !blockedReason) return null;
    const because = blockedReason ? `: ${sentence(blockedReason)} Cancel it, then release again.` : ".";
    return [`This release will not go live when it is due${because}`, freeze && freezeSentence(freeze)]
        .filter(Boolean)
        .join(" ");
}

/** A release that has not gone live can be created again; a rollback is created again from its release. */
function isWorthAnother({ state, rollsBack }) {
    return !rollsBack && ["judged", "refused", "failed", "cancelled", "suspended"].includes(state);
}
