import { releaseAddress } from "../../../shared/page/addresses.js";
import { showMoment } from "../../../shared/times/moments.js";
import { number } from "../../../shared/words/numbers.js";
import { releaseName, standingOf as standingOfRelease } from "../../../shared/words/release-words.js";
import { clone, part } from "../../../shared/page/template.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { isHeld, publicationStates, standingOf } from "../../../components/publications/publication.js";

/** The most lines shown; the list of versions has the rest. */
const maximum = 3;

/**
 * In the head of a domain: the pending changes of the live version, those that will not go live in the current state,
 * and those that failed after the last one went live.
 */
export class Standing {
    #page;
    #root;
    #pending = [];
    #ended = [];

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "standing");
    }

    /** Shows the `publications` and `releases` that have not ended. */
    showPending(publications, releases) {
        const { slug } = this.#page.session.organization;
        this.#pending = [
            ...publications.map((each) => [each.at, () => publicationLine(each)]),
            ...releases.map((each) => [each.at, () => releaseLine(each, slug)]),
        ]
            .toSorted(([one], [other]) => (one ?? "").localeCompare(other ?? ""))
            .map(([, line]) => line);
        this.#draw();
    }

    /** Shows the last of the publications that failed or were suspended, which come newest first. */
    showEnded(publications) {
        this.#ended = publications.slice(0, 1).map((each) => () => endedLine(each));
        this.#draw();
    }

    #draw() {
        const lines = [...this.#ended, ...this.#pending];
        this.#root.hidden = lines.length === 0;
        const shown = lines.slice(0, maximum).map((line) => line());
        const more = lines.length - shown.length;
        if (more) shown.push(clone("standing", { words: `And ${number(more)} more.` }));
        this.#root.replaceChildren(...shown);
    }
}

function publicationLine(publication) {
    const { version, at: due, reverts, blockedReason } = publication;
    const { words, tone } = standingOf(publication);
    if (!isHeld(publication)) {
        const what = due ? ` ${reverts ? "goes live again" : "goes live"}` : "";
        return line({ state: words, words: `Version ${version}${what}`, tone: "quiet", time: due });
    }
    // The head shows the freeze already.
    const why = blockedReason ?? "it is due during the freeze";
    return line({ state: words, words: `Version ${version}: ${why}. Due`, tone, time: due });
}

function releaseLine(release, slug) {
    const { words, tone } = standingOfRelease(release);
    const due = release.at ? ", due" : "";
    const said = `as part of the release “${releaseName(release)}”${due}`;
    const item = line({ state: words, words: said, tone, time: release.at });
    if (tone !== "warning") item.dataset.tone = "quiet";
    part(item, "link").href = releaseAddress(slug, release.id);
    part(item, "link").textContent = "Release";
    return item;
}

function endedLine({ state, version, endedAt, cause }) {
    const { words, tone } = publicationStates[state];
    const because = cause ? `: ${cause.replace(/\.$/, "")}` : "";
    return line({ state: words, words: `Version ${version} did not go live${because}.`, tone, time: endedAt });
}

function line({ state, words, tone, time }) {
    const item = clone("standing", { state, words });
    item.dataset.tone = tone;
    showMoment(part(item, "time"), time, time && dueWords(time));
    return item;
}
