import { showMoment } from "../../../shared/times/moments.js";
import { duration, list } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";

const kinds = ["edge", "directory", "bucket"];
const plurals = { edge: "edges", directory: "directories", bucket: "buckets" };

/** From so many seconds on, one that is behind is a matter of concern. */
const concern = 30;

/**
 * Every edge, directory and bucket of the API's answer in one form: what it has, whether it is late and for how many
 * seconds, and what troubles it. Edges come first, then directories, then buckets.
 */
export function sinks({ consumers, buckets }) {
    return [...consumers.map(ofConsumer), ...buckets.map(ofBucket)].sort(
        (one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind),
    );
}

function ofConsumer({ current, lag, trouble, troubleSince, ...sink }) {
    return { ...sink, isLate: current === false, seconds: lag, trouble, since: troubleSince };
}

function ofBucket({ state, since, cause, listingCause, comparedAt, ...sink }) {
    const isLate = state !== "current";
    const seconds = since ? Math.max(0, Math.floor((Date.now() - new Date(since)) / 1000)) : 0;
    const trouble = cause ?? (listingCause ? `It cannot be listed: ${listingCause}` : null);
    return { ...sink, kind: "bucket", isLate, isFailing: state === "failing", seconds, trouble, seenAt: comparedAt };
}

/** How far what is live has got, in a sentence. */
export function reachOfSinks(serving) {
    const { live } = serving;
    if (!live) return "Nothing is published, so nothing is served.";
    const all = sinks(serving);
    const late = all.filter(({ isLate }) => isLate).length;
    const what = `Version ${live.version}`;
    if (all.length === 0) return `${what} is live, and no edge, directory or bucket has told of itself within a day.`;
    if (all.length === 1) return `${what} ${late ? "is on its way to" : "has reached"} the ${all[0].kind}.`;
    const names = list(kinds.filter((kind) => all.some((sink) => sink.kind === kind)).map((kind) => plurals[kind]));
    return `${what} has reached ${late ? `${all.length - late} of` : "all"} ${all.length} ${names}.`;
}

/** A row for each: what it is, what it has of what is live, how far behind it is, and why. */
export function sinkItems(serving) {
    return sinks(serving).map((sink) => item(sink, serving.live));
}

function item(sink, live) {
    const { name, kind, trouble, since, seenAt } = sink;
    const row = clone("sink", { name, kind, has: has(sink), behind: behind(sink, live) });
    const { words, tone } = standing(sink, live);
    part(row, "state").textContent = words;
    part(row, "state").dataset.tone = tone;
    part(row, "seen-words").hidden = !seenAt;
    part(row, "seen-verb").textContent = kind === "bucket" ? "compared" : "seen";
    showMoment(part(row, "seen"), seenAt);
    part(row, "trouble").hidden = !trouble;
    part(row, "trouble-since-words").hidden = !since;
    showMoment(part(row, "trouble-since"), since);
    fill(row, { "trouble-words": trouble });
    return row;
}

function standing({ isLate, isFailing, seconds }, live) {
    if (!isLate) return live ? { words: "Up to date", tone: "good" } : { words: "Nothing to serve", tone: "quiet" };
    if (isFailing) return { words: `Failing for ${duration(seconds)}`, tone: "bad" };
    const words = seconds >= 1 ? `${duration(seconds)} behind` : "On its way";
    return { words, tone: seconds < concern ? "accent" : "warning" };
}

function has({ kind, version }) {
    return version ? `${kind === "bucket" ? "Holds" : "Serves"} version ${version}` : null;
}

/** The last change of the installation that it has, and the one that is live here. */
function behind({ activation, isLate }, live) {
    if (!live || !isLate) return null;
    return activation === null ? "has nothing yet" : `at activation ${activation}, live is ${live.activation}`;
}
