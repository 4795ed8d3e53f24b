import { dueWords } from "../times/due-time.js";
import { count, list, number } from "./numbers.js";
import { releaseStates, willBeSuspended } from "./states.js";

/** The words and the tone of its state. It is called scheduled only if it will go live in the current state. */
export function standingOf({ state, freeze, blockedReason }) {
    const isHeld = state === "scheduled" && (freeze || blockedReason);
    return isHeld ? willBeSuspended : releaseStates[state];
}

export function hasEnded({ endedAt }) {
    return endedAt !== null;
}

/** Its message, or else its domains. */
export function releaseName(release) {
    return release.message || `${release.rollsBack ? "Rollback" : "Release"} of ${domainsOf(release)}`;
}

/** "12 domains labelled brand-acme" */
export function domainsOf({ domains, label }) {
    return `${count(domains.total, "domain")}${label ? ` labelled ${label}` : ""}`;
}

/** The state of a release in a sentence or two, and its tone. */
export function outcomeOf(release) {
    const { state, cause, endedAt } = release;
    const trouble = cause && !endedAt ? ` The last attempt failed: ${sentence(cause)} It will be retried.` : "";
    return { words: outcomes[state](release) + trouble, tone: trouble ? "warning" : releaseStates[state].tone };
}

const appleFetches =
    "Apple’s systems fetch the new files in their own time: the CDN within a day, devices about weekly.";
const nothingHappened = "Nothing was published. The live files are unchanged.";

const outcomes = {
    judging: ({ domains }) =>
        domains.waiting
            ? "Checking one domain at a time. Nothing is published until all have passed."
            : "Every domain is checked. Versions are being created for the drafts that passed.",
    scheduled: ({ at, freeze, blockedReason, precededBy, override }) => {
        if (!at) return "Everything is ready and goes live in a moment.";
        const isAtRisk = freeze || blockedReason || (precededBy.length && !override);
        if (isAtRisk) return `Everything is ready and due at ${dueWords(at)}.`;
        const unless = "unless another version goes live on one of the domains first";
        return `Everything is ready and goes live at ${dueWords(at)}, ${unless}.`;
    },
    running: () => "All domains are going live in one step.",
    live: ({ domains }) => `${count(domains.live, "domain")} went live in one step. ${appleFetches}`,
    judged: ({ domains }) =>
        `${count(domains.passed, "domain")} passed the checks. Nothing was published.`,
    refused: ({ domains }) =>
        `${number(domains.refused)} of ${count(domains.total, "domain")} failed the checks. ${nothingHappened}`,
    unchanged: () => "Every domain already serves its draft. There was nothing to publish.",
    failed: ({ cause }) => `It could not go live: ${sentence(cause)} The live files are unchanged.`,
    cancelled: ({ cause }) => `It was ${sentence(cause ?? "cancelled")} Nothing went live.`,
    suspended: ({ cause }) => `Nothing went live: ${sentence(cause)} Fix that, then release again.`,
};

/** A cause as a sentence, with a full stop. */
export function sentence(cause) {
    return `${(cause ?? "no reason was recorded").replace(/\.$/, "")}.`;
}

/** A short count of its domains: "12 domains live", "2 of 12 domains failed the checks". */
export function countsOf({ state, domains }) {
    const of = (part, word) => `${number(part)} of ${count(domains.total, "domain")} ${word}`;
    switch (state) {
        case "judging":
            return of(domains.total - domains.waiting, "checked");
        case "refused":
            return of(domains.refused, "failed the checks");
        case "suspended":
            return domains.moved ? of(domains.moved, "changed") : `${count(domains.total, "domain")} not published`;
        case "live":
            return domains.live === domains.total ? `${count(domains.live, "domain")} live` : of(domains.live, "live");
        case "scheduled":
        case "running":
            return `${count(domains.frozen, "domain")} ready`;
        case "judged":
            return of(domains.passed, "passed");
        default:
            return count(domains.total, "domain");
    }
}

const kinds = ["edge", "directory", "bucket"];
const plurals = { edge: "edges", directory: "directories", bucket: "buckets" };

/** All edges, directories and buckets, each with the number of domains that it serves. */
export function placesOf({ consumers, buckets }) {
    const all = [...consumers, ...buckets.map((bucket) => ({ ...bucket, kind: "bucket", seenAt: bucket.comparedAt }))];
    return all.toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

/** The number of domains at each place; null if it is everywhere, or not live. */
export function spreadOf(release) {
    if (release.state !== "live") return null;
    const places = placesOf(release).map(({ name, domains }) => [name, domains]);
    return places.every(([, domains]) => domains >= release.domains.live) ? null : places;
}

/** "Reached all 2 edges and buckets." */
export function reachOf(release) {
    const places = placesOf(release);
    if (!places.length) return "No edge, directory or bucket has reported in 24 hours.";
    const present = kinds.filter((kind) => places.some((place) => place.kind === kind));
    const full = places.filter((place) => place.domains >= release.domains.live).length;
    if (places.length === 1) return `${full ? "Reached" : "Not yet on"} the ${places[0].kind}.`;
    const named = list(present.map((kind) => plurals[kind]));
    return `Reached ${full < places.length ? `${full} of` : "all"} ${places.length} ${named}.`;
}
