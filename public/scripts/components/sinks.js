import { showMoment } from "../shared/times/moments.js";
import { duration, list } from "../shared/words/numbers.js";
import { clone, fill, part } from "../shared/page/template.js";

const kinds = ["edge", "directory", "bucket"];
const plurals = { edge: "edges", directory: "directories", bucket: "buckets" };

/** The seconds after which one that is behind gets a warning. */
const concern = 30;

/**
 * All edges, directories and buckets of the API's answer in one form: the version, whether it is late and by how many
 * seconds, and its problem. Edges come first, then directories, then buckets.
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
    const trouble = cause ?? (listingCause ? `Cannot list the bucket: ${listingCause}` : null);
    return { ...sink, kind: "bucket", isLate, isFailing: state === "failing", seconds, trouble, seenAt: comparedAt };
}

/** How many have the live version, as a sentence. */
export function reachOfSinks(serving) {
    const { live } = serving;
    if (!live) return "Nothing is live, so nothing is served.";
    const all = sinks(serving);
    const late = all.filter(({ isLate }) => isLate).length;
    const what = `Version ${live.version}`;
    if (all.length === 0) return `${what} is live. No edge, directory or bucket has reported in 24 hours.`;
    if (all.length === 1) return `${what} has ${late ? "not yet reached" : "reached"} the ${all[0].kind}.`;
    const names = list(kinds.filter((kind) => all.some((sink) => sink.kind === kind)).map((kind) => plurals[kind]));
    return `${what} has reached ${late ? `${all.length - late} of` : "all"} ${all.length} ${names}.`;
}

/** A row for each: its name, its version, how far behind it is, and why. */
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
    const words = seconds >= 1 ? `${duration(seconds)} behind` : "Updating";
    return { words, tone: seconds < concern ? "accent" : "warning" };
}

function has({ kind, version }) {
    return version ? `${kind === "bucket" ? "Holds" : "Serves"} version ${version}` : null;
}

/** How it differs from the live version. */
function behind({ activation, isLate }, live) {
    if (!live || !isLate) return null;
    return activation === null ? "has no file yet" : "not yet at the live version";
}
