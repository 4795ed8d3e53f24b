import { count, list } from "../../shared/words/numbers.js";
import { eventSubject } from "./event-subject.js";
import { bypassOf, bypassWords, eventNote, eventTone, eventWords } from "./event-words.js";

const shownTogether = 3;

/**
 * What an act's line shows: its subject with an address or null, its words, note, tone, and author. If the subject has no
 * name, the words take its place.
 */
export function actWords({ events }, organization) {
    const main = mainEvent(events);
    const hosts = hostsOf(events);
    const isOfMany = hosts.length > 1 && main.host;
    const { name, address } = isOfMany
        ? { name: count(hosts.length, "domain"), address: null }
        : eventSubject(main, organization);
    const bypass = bypassOf(events);
    const what = editsWords(events) ?? wordsWith(bypass, main, extent(events, main, hosts));
    return {
        name: name ?? what,
        address,
        what: name === null ? null : what,
        note: isEdits(events) ? editsNote(events) : eventNote(noted(events, main), bypass),
        tone: (bypass && bypassTone(main)) ?? eventTone(main),
        author: authorOf(events),
    };
}

/** The steps of an act, newest first: each is a list of equal events on several hosts, one after the other. */
export function stepsOf(events) {
    const steps = [];
    for (const event of events) {
        const step = steps.at(-1);
        const last = step?.at(-1);
        const isSame = last && event.host && last.host !== event.host && eventWords(last) === eventWords(event);
        if (isSame) step.push(event);
        else steps.push([event]);
    }
    return steps;
}

/** The user or token that began the act, otherwise Waymark. */
function authorOf(events) {
    return (events.findLast(({ actor }) => actor.kind !== "system") ?? events.at(-1)).actor;
}

/** The newest event of the thing that the act is about: the release, not one of its publications. */
function mainEvent(events) {
    for (const thing of ["release.", "replacement.", "run.", "withdrawal.", "publication.", "domain.created"]) {
        const newest = events.find(({ kind }) => kind.startsWith(thing));
        if (newest) return newest;
    }
    return events[0];
}

/** The event that says why: a publication has its message only at its beginning. A release has it as its name. */
function noted(events, main) {
    if (eventNote(main) || main.kind.startsWith("release.")) return main;
    return events.find((event) => event.kind !== "approval.bypassed" && eventNote(event)) ?? main;
}

/**
 * The words about an event, with those about the event `bypass`, if any. Without them, a publication without the required
 * approvals would look like any other.
 */
export function wordsWith(bypass, event, extent = "") {
    const words = eventWords(event) + extent;
    if (!bypass || event.kind === "approval.bypassed") return words;
    const isLive = event.kind.endsWith(".live");
    return `${words} · ${isLive ? bypassWords(bypass) : bypassWords(bypass, "Without approval")}`;
}

/** Going live without approval needs a look, like the bypass itself. */
function bypassTone(main) {
    return eventTone(main) === "bad" ? "bad" : "warning";
}

function hostsOf(events) {
    return [...new Set(events.map(({ host }) => host).filter(Boolean))];
}

/** On how many domains a release is: its first event says it; without that event, its domains are counted. */
function extent(events, main, hosts) {
    if (!main.kind.startsWith("release.") || main.kind === "release.created") return "";
    const domains = events.find(({ kind }) => kind === "release.created")?.detail.domains ?? hosts.length;
    return domains ? ` on ${count(domains, "domain")}` : "";
}

function isEdits(events) {
    return events.length > 1 && events.every(({ kind }) => /^(draft|rule|tests?)\./.test(kind));
}

function editsWords(events) {
    if (!isEdits(events) || hostsOf(events).length > 1) return null;
    const kinds = new Set(events.map(({ kind }) => kind));
    const [kind] = kinds;
    if (kinds.size === 1 && sameEdits[kind]) return sameEdits[kind](events.length);
    return `${/^tests?\./.test(kind) ? "Tests" : "Draft"} edited: ${count(events.length, "change")}`;
}

const sameEdits = {
    "rule.created": (number) => `${count(number, "rule")} added`,
    "rule.deleted": (number) => `${count(number, "rule")} deleted`,
    "test.created": (number) => `${count(number, "test")} added`,
    "test.deleted": (number) => `${count(number, "test")} deleted`,
};

/** The rules or URLs of several edits: "/buy/*, /sell/* and 2 more". */
function editsNote(events) {
    const names = [...new Set(events.map(({ detail: { pattern, url } }) => pattern ?? url).filter(Boolean))];
    const more = names.length - shownTogether;
    return more > 1 ? list([...names.slice(0, shownTogether), `${more} more`]) : list(names);
}
