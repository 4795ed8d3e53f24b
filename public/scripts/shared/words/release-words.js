import { dueWords } from "../times/due-time.js";
import { count, list, number } from "./numbers.js";

/** The states of a release in words for people, and the badge's tone. */
export const releaseStates = {
    judging: { words: "Being judged", tone: "accent" },
    scheduled: { words: "Scheduled", tone: "accent" },
    running: { words: "Going live", tone: "accent" },
    live: { words: "Went live", tone: "good" },
    judged: { words: "Checked, all pass", tone: "good" },
    refused: { words: "Refused", tone: "bad" },
    unchanged: { words: "Nothing new", tone: "quiet" },
    failed: { words: "Failed", tone: "bad" },
    cancelled: { words: "Cancelled", tone: "quiet" },
    suspended: { words: "Suspended", tone: "warning" },
};

/** The words and the tone of its state: one that waits is only called scheduled if it will go live as things are. */
export function standingOf({ state, freeze, blockedReason }) {
    const isHeld = state === "scheduled" && (freeze || blockedReason);
    return isHeld ? { words: "Will be suspended", tone: "warning" } : releaseStates[state];
}

/** The states of a domain of a release. */
export const domainStates = {
    waiting: { words: "Not judged yet", tone: "quiet" },
    refused: { words: "Refused", tone: "bad" },
    moved: { words: "Moved", tone: "warning" },
    passed: { words: "Passed", tone: "good" },
    frozen: { words: "Ready", tone: "accent" },
    live: { words: "Went live", tone: "good" },
    unchanged: { words: "Unchanged", tone: "quiet" },
    staying: { words: "Stays as it is", tone: "quiet" },
};

export function showState(badge, { words, tone }) {
    badge.textContent = words;
    badge.dataset.tone = tone;
}

export function hasEnded({ endedAt }) {
    return endedAt !== null;
}

/** What somebody said about it, or else which domains it has. */
export function releaseName(release) {
    return release.message || `${release.takesBack ? "Rollback" : "Release"} of ${domainsOf(release)}`;
}

/** "12 domains labelled brand-acme" */
export function domainsOf({ domains, label }) {
    return `${count(domains.total, "domain")}${label ? ` labelled ${label}` : ""}`;
}

/** What a release does or did, in a sentence or two, and how that is to be taken. */
export function outcomeOf(release) {
    const { state, cause, endedAt } = release;
    const trouble = cause && !endedAt ? ` The last attempt failed: ${sentence(cause)} It is made again.` : "";
    return { words: outcomes[state](release) + trouble, tone: trouble ? "warning" : (tones[state] ?? "accent") };
}

const tones = {
    live: "good",
    judged: "good",
    refused: "bad",
    failed: "bad",
    suspended: "warning",
    cancelled: "quiet",
    unchanged: "quiet",
};

const appleFetches =
    "Apple’s systems fetch the new files in their own time: the CDN within a day, devices about weekly.";
const nothingHappened = "Nothing was published and no version number was used. What is live stays as it is.";

const outcomes = {
    judging: ({ domains }) =>
        domains.waiting
            ? "The gate looks at one domain after the other. Nothing is published before all have passed."
            : "The gate has seen every domain. What has passed gets its versions.",
    scheduled: ({ at, freeze, blockedReason, precededBy, override }) => {
        if (!at) return "Everything is ready. It goes live in a moment.";
        if (freeze || blockedReason || (precededBy.length && !override)) return `Everything is ready and due at ${dueWords(at)}.`;
        return `Everything is ready and goes live at ${dueWords(at)}, unless something else does on one of the domains.`;
    },
    running: () => "All of it is being made live in one step.",
    live: ({ domains }) => `${count(domains.live, "domain")} went live in one step. ${appleFetches}`,
    judged: ({ domains }) =>
        `The gate lets ${count(domains.passed, "domain")} pass. It was only asked: nothing was published.`,
    refused: ({ domains }) =>
        `The gate refuses ${number(domains.refused)} of ${count(domains.total, "domain")}. ${nothingHappened}`,
    unchanged: () => "What the drafts say is live already on every one of the domains. There was nothing to do.",
    failed: ({ cause }) => `It could not be made live: ${sentence(cause)} What was live before is live still.`,
    cancelled: ({ cause }) => `It was ${sentence(cause ?? "called off")} Nothing of it went live.`,
    suspended: ({ cause }) => `Nothing of it went live, because ${sentence(cause)} Look there, and ask again.`,
};

/** A cause ends as a sentence does. */
export function sentence(cause) {
    return `${(cause ?? "no reason was noted").replace(/\.$/, "")}.`;
}

/** What became of its domains, as short as can be: "12 domains live", "2 of 12 domains refused". */
export function countsOf({ state, domains }) {
    const of = (part, word) => `${number(part)} of ${count(domains.total, "domain")} ${word}`;
    switch (state) {
        case "judging":
            return of(domains.total - domains.waiting, "judged");
        case "refused":
            return of(domains.refused, "refused");
        case "suspended":
            return domains.moved ? of(domains.moved, "moved") : `${count(domains.total, "domain")} held back`;
        case "live":
            return domains.live === domains.total ? `${count(domains.live, "domain")} live` : of(domains.live, "live");
        case "scheduled":
        case "running":
            return `${count(domains.frozen, "domain")} ready`;
        case "judged":
            return of(domains.passed, "pass");
        default:
            return count(domains.total, "domain");
    }
}

const kinds = ["edge", "directory", "bucket"];
const plurals = { edge: "edges", directory: "directories", bucket: "buckets" };

/** Every edge, directory and bucket with how many of the domains it has, in one form. */
export function placesOf({ consumers, buckets }) {
    const all = [...consumers, ...buckets.map((bucket) => ({ ...bucket, kind: "bucket", seenAt: bucket.comparedAt }))];
    return all.toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

/** Where it has got to on its way, place by place; null when it is everywhere, or not on its way. */
export function spreadOf(release) {
    if (release.state !== "live") return null;
    const places = placesOf(release).map(({ name, domains }) => [name, domains]);
    return places.every(([, domains]) => domains >= release.domains.live) ? null : places;
}

/** "It has reached all 2 edges and buckets." */
export function reachOf(release) {
    const places = placesOf(release);
    if (!places.length) return "No edge, directory or bucket has told of itself within a day.";
    const present = kinds.filter((kind) => places.some((place) => place.kind === kind));
    const full = places.filter((place) => place.domains >= release.domains.live).length;
    if (places.length === 1) return `${full ? "It has reached" : "It is on its way to"} the ${places[0].kind}.`;
    const named = list(present.map((kind) => plurals[kind]));
    return `It has reached ${full < places.length ? `${full} of` : "all"} ${places.length} ${named}.`;
}
