import { bypassWords } from "../../../components/publications/bypass.js";
import { count, list } from "../../../shared/words/numbers.js";
import { sinks } from "../../../components/sinks.js";

/** The most names listed; more are counted. */
const maximum = 4;

/** For each version that was rolled back last time: the older version that replaced it. */
export function rollBacks(publications) {
    const live = publications.filter(({ state }) => state === "live");
    const replaced = new Map();
    live.slice(1).forEach(({ version }, index) => {
        if (!replaced.has(version)) replaced.set(version, live[index].version);
    });
    return new Map([...replaced].filter(([version, next]) => next < version));
}

/** For each version that was published without the required approvals: the words, with the reason of the last time. */
export function bypasses(publications) {
    const live = publications.filter(({ state }) => state === "live").toReversed();
    return new Map(live.map((each) => [each.version, bypassWords(each)]).filter(([, words]) => words));
}

/** "Served by edge-1 and nginx", or null. */
export function servedBy(serving, version) {
    const names = sinks(serving).filter((sink) => sink.version === version).map(({ name }) => name);
    if (names.length === 0) return null;
    return `Served by ${names.length > maximum ? count(names.length, "place") : list(names)}`;
}
