import { domainAddress, releaseAddress } from "../../../shared/page/addresses.js";
import { showMoment } from "../../../shared/times/moments.js";
import { number } from "../../../shared/words/numbers.js";
import { releaseName, standingOf as standingOfRelease } from "../../../shared/words/release-words.js";
import { clone, part } from "../../../shared/page/template.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { isHeld, standingOf } from "../../../components/publications/publication.js";
import { publicationStates } from "../../../shared/words/states.js";

/** The most entries shown; the part with the versions has the rest. */
const maximum = 2;

/**
 * In the head of a domain: the pending changes of the live version, those that will not go live in the current state,
 * and the last one that failed if none went live after it.
 */
export class Standing {
    #page;
    #root;
    #pending = [];
    #stopped = [];

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "standing");
    }

    /** Shows the `publications` and `releases` that have not ended. */
    showPending(publications, releases) {
        const { slug } = this.#page.session.organization;
        this.#pending = [...publications.map(publicationEntry), ...releases.map((each) => releaseEntry(each, slug))];
        this.#pending.sort((one, other) => (one.time ?? "").localeCompare(other.time ?? ""));
        this.#draw();
    }

    /** Shows the last publication that failed or was suspended, or null. */
    showStopped(publication) {
        this.#stopped = publication ? [stoppedEntry(publication)] : [];
        this.#draw();
    }

    #draw() {
        // They are read one after the other: a publication that was just suspended may be in both.
        const entries = [...this.#stopped, ...this.#pending.filter(({ id }) => id !== this.#stopped[0]?.id)];
        const more = entries.length - maximum;
        const shown = entries.slice(0, maximum);
        if (more > 0) shown.push({ words: `And ${number(more)} more.` });
        this.#root.hidden = entries.length === 0;
        this.#root.replaceChildren(...shown.map((entry) => this.#item(entry)));
    }

    #item({ state, words, tone, time, link }) {
        const item = clone("standing", { state, words });
        if (tone) part(item, "state").dataset.tone = tone;
        part(item, "link").textContent = link?.words ?? "Versions";
        part(item, "link").href =
            link?.address ?? domainAddress(this.#page.session.organization.slug, this.#page.host, "versions");
        showMoment(part(item, "time"), time, time && dueWords(time));
        return item;
    }
}

function publicationEntry(publication) {
    const { id, version, at: due, reverts, blockedReason } = publication;
    const { words: state, tone } = standingOf(publication);
    if (!isHeld(publication)) {
        const what = due ? ` ${reverts ? "goes live again" : "goes live"}` : "";
        return { id, state, words: `Version ${version}${what}`, tone, time: due };
    }
    // The head shows the freeze already.
    const why = blockedReason ?? "it is due during the freeze";
    return { id, state, words: `Version ${version}: ${why}. Due`, tone, time: due };
}

function releaseEntry(release, slug) {
    const { words: state, tone } = standingOfRelease(release);
    const words = `as part of the release “${releaseName(release)}”${release.at ? ", due" : ""}`;
    const link = { words: "Release", address: releaseAddress(slug, release.id) };
    return { id: release.id, state, words, tone, time: release.at, link };
}

function stoppedEntry({ publication: id, state, version, endedAt, cause }) {
    const { words, tone } = publicationStates[state];
    const because = cause ? `: ${cause.replace(/\.$/, "")}` : "";
    return { id, state: words, words: `Version ${version} did not go live${because}.`, tone, time: endedAt };
}
