import { domainAddress, releaseAddress } from "../../../shared/page/addresses.js";
import { showMoment } from "../../../shared/times/moments.js";
import { number } from "../../../shared/words/numbers.js";
import { releaseName, standingOf as standingOfRelease } from "../../../shared/words/release-words.js";
import { clone, part } from "../../../shared/page/template.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { isHeld, standingOf } from "../../../components/publications/publication.js";
import { publicationStates } from "../../../shared/words/states.js";

/** The entries shown; the part with the versions has the rest. Fewer than `fewestHidden` are not worth hiding. */
const maximum = 2;
const fewestHidden = 3;

/** The pending changes of a page's domain, and its last publication that failed, or null, as items of a list. */
export function standingItems({ session, host }, { stopped, publications, releases }) {
    const { slug } = session.organization;
    const pending = [...publications.map(publicationEntry), ...releases.map((each) => releaseEntry(each, slug))]
        .sort((one, other) => (one.time ?? "").localeCompare(other.time ?? ""))
        // They are read one after the other: a publication that was just suspended may be in both.
        .filter(({ id }) => id !== stopped?.publication);
    const entries = [...(stopped ? [stoppedEntry(stopped)] : []), ...pending];
    const more = entries.length - maximum;
    const shown = more < fewestHidden ? entries : entries.slice(0, maximum);
    if (shown !== entries) shown.push({ words: `And ${number(more)} more.` });
    const link = { words: "Versions", address: domainAddress(slug, host, "versions") };
    return shown.map((entry) => item({ link, ...entry }));
}

function item({ state, words, tone, time, link }) {
    const element = clone("standing", { state, words });
    if (tone) part(element, "state").dataset.tone = tone;
    part(element, "link").textContent = link.words;
    part(element, "link").href = link.address;
    showMoment(part(element, "time"), time, time && dueWords(time));
    return element;
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
