import { list } from "../../shared/words/numbers.js";
import { written } from "./values.js";

/** The changes other than rules, a sentence each. */
export function otherChanges(difference, apps) {
    const { entries = [], apps: ofApps, services = [], variables = [], defaults = [], other = [] } = difference;
    const moved = entries.filter(({ change }) => change === "moved");
    const names = (ids) => list(ids.map((id) => apps.name(id)));
    const forOldest = other.some(isPaths) ? other.filter(isForOldest) : [];
    return [
        ofApps?.added.length && `Apps added: ${names(ofApps.added)}.`,
        ofApps?.removed.length && `Apps removed: ${names(ofApps.removed)}.`,
        ofApps?.reordered && "The order of the apps changes. The first app that matches opens a URL.",
        ...moved.map(({ after }) => `The entry of ${names(after)} has moved.`),
        ...services.flatMap(({ service, added, removed }) => [
            added.length && `${service}: ${names(added)} added.`,
            removed.length && `${service}: ${names(removed)} removed.`,
        ]),
        ...variables.map(({ name, before, after }) => `$(${name}): ${written(before)}, now ${written(after)}.`),
        ...defaults.map(({ key, before, after }) => `Default of ${key}: ${written(before)}, now ${written(after)}.`),
        forOldest.length && "The rules for iOS 9 to 12 change.",
        ...other.filter((pointer) => !forOldest.includes(pointer)).map((pointer) => `Also changed: ${pointer}`),
    ].filter(Boolean);
}

/** Paths that newer systems ignore, because the entry has components too. */
function isPaths(pointer) {
    return /^\/applinks\/details\/\d+\/paths(\/|$)/.test(pointer);
}

function isForOldest(pointer) {
    return isPaths(pointer) || /^\/applinks\/(apps|details\/\d+\/appID)$/.test(pointer);
}
