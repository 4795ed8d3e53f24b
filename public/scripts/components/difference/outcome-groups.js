import { patternText } from "../../shared/words/pattern.js";
import { isExclusion, patternOf } from "./rule-words.js";

/**
 * The URLs whose result changes, grouped by the rule that causes it, the losses first: `[{ rule, change, apps,
 * isExclusion, effects: [{ before, after, on, apps, urls }] }]`. `rule` is null if no rule is the cause. `on` holds
 * the systems. The parameters `before` and `after` are the texts of the files, or null.
 */
export function outcomeGroups({ outcomes, rules }, before, after) {
    const files = { before: parsed(before), after: parsed(after) };
    const groups = new Map();
    for (const { url, given, on, ...outcome } of togetherBySystem(outcomes)) {
        const cause = causeOf(outcome, rules, files);
        const group = found(groups, keyOf(cause), () => ({ ...cause, effects: new Map() }));
        const kind = JSON.stringify([on, outcome], withoutPlaces);
        found(group.effects, kind, () => ({ ...outcome, on, urls: [] })).urls.push({ url, given });
    }
    return [...groups.values()]
        .map((group) => ({ ...group, effects: [...group.effects.values()].toSorted(byLoss) }))
        .toSorted((one, other) => byLoss(one.effects[0], other.effects[0]));
}

/** What a change means for the users of a link: `lost`, `other` app, `gained`, or `same` result. */
export function meaningOf({ before, after }) {
    const [old, now] = [before, after].map((each) => (each?.outcome === "opens" ? each.app : null));
    if (old === now) return "same";
    if (!now) return "lost";
    return old ? "other" : "gained";
}

/**
 * How many URLs change where they open, and how many change only in another way: `{ changed, kept }`. A URL counts once,
 * however many systems were compared.
 */
export function urlCounts({ outcomes, urls }) {
    const changed = new Set(outcomes.filter((each) => meaningOf(each) !== "same").map(({ url }) => url)).size;
    return { changed, kept: Math.max(urls.changed - changed, 0) };
}

const worst = ["lost", "other", "gained", "same"];

function byLoss(one, other) {
    return worst.indexOf(meaningOf(one)) - worst.indexOf(meaningOf(other));
}

/** Equal changes of a URL on several systems are one change, `on` all of them, whichever rule decides there. */
function togetherBySystem(outcomes) {
    const changes = new Map();
    for (const { os, ...change } of outcomes) {
        found(changes, JSON.stringify(change, withoutPlaces), () => ({ ...change, on: [] })).on.push(os);
    }
    return [...changes.values()];
}

function withoutPlaces(name, value) {
    return name === "decidedBy" ? undefined : value;
}

/** The changed rule that decides now or decided before; else the unchanged rule that decides. */
function causeOf(outcome, rules, files) {
    const places = (name) => [outcome, ...(outcome.apps ?? [])].map((each) => each[name]?.decidedBy).filter(Boolean);
    const [old, now] = [places("before"), places("after")];
    const real = rules.filter(({ change }) => change !== "same_meaning");
    const moved = ({ change }) => change === "moved";
    const ofNow = real.find((rule) => !moved(rule) && now.includes(rule.to));
    const ofBefore = real.find((rule) => !moved(rule) && old.includes(rule.from));
    const ofMoved = real.find((rule) => moved(rule) && (now.includes(rule.to) || old.includes(rule.from)));
    const changed = ofNow ?? ofBefore ?? ofMoved;
    if (changed) {
        const rule = changed.after ?? changed.before;
        return { rule, change: changed.change, apps: changed.apps, isExclusion: isExclusion(rule) };
    }
    const rule = valueAt(files.after, now[0]) ?? valueAt(files.before, old[0]);
    const known = real.find((each) => rule && same(each.after ?? each.before, rule));
    if (known) return { rule, change: known.change, apps: known.apps, isExclusion: isExclusion(rule) };
    return { rule: rule ?? null, change: null, apps: [], isExclusion: isExclusion(rule) };
}

/** Whether two rules have the same pattern: a path for iOS 9 and its component count as one rule. */
function same(one, other) {
    return isExclusion(one) === isExclusion(other) && patternText(patternOf(one)) === patternText(patternOf(other));
}

function keyOf({ rule, change, apps, isExclusion }) {
    return rule ? JSON.stringify([change, apps, isExclusion, patternText(patternOf(rule))]) : "";
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** The rule at a JSON Pointer into a file. Null without a rule, or if an entry without rules decides. */
function valueAt(file, pointer) {
    if (!pointer || !/\/(components|paths)\/\d+$/.test(pointer)) return null;
    return pointer.slice(1).split("/").reduce((value, key) => value?.[key], file) ?? null;
}

function found(map, key, make) {
    if (!map.has(key)) map.set(key, make());
    return map.get(key);
}
