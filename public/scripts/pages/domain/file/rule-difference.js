import { count, list, number } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { patternNodes } from "../../../shared/words/pattern.js";
import { outcomeText, systems } from "../../../shared/words/test-words.js";

/**
 * Shows in `root` what a difference means: the URLs whose result changes, then the rules, then everything else. Shows
 * nothing if `difference` is null.
 */
export function showMeaning(root, difference, apps) {
    const place = part(root, "meaning");
    place.hidden = !difference;
    if (!difference) return;
    showOutcomes(place, difference, apps);
    showRules(place, difference, apps);
    const others = otherChanges(difference, apps);
    part(place, "other-changes").hidden = others.length === 0;
    part(place, "other-changes").replaceChildren(...others.map((text) => clone("other-change", { text })));
    part(place, "truncated").hidden = !difference.isTruncated;
}

function showOutcomes(place, { outcomes, urls, systems: asked = [] }, apps) {
    part(place, "outcome-summary").textContent = outcomeSummary(urls, asked);
    part(place, "outcomes").hidden = outcomes.length === 0;
    part(place, "outcomes").replaceChildren(
        ...togetherBySystem(outcomes).map(({ url, on, before, after, apps: ofApps }) => {
            const item = clone("outcome-change", {
                url,
                os: on.length < asked.length ? `on ${list(on.map((os) => systems[os] ?? os))}` : null,
                before: outcomeText(before, apps),
                after: outcomeText(after, apps),
                "of-apps": appsText(before, after, ofApps, apps),
            });
            part(item, "before").dataset.outcome = before.outcome;
            part(item, "after").dataset.outcome = after.outcome;
            return item;
        }),
    );
}

/** Equal changes of a URL on several systems are one change, `on` all of them, whichever rule decides there. */
function togetherBySystem(outcomes) {
    const changes = new Map();
    for (const { os, ...change } of outcomes) {
        const key = JSON.stringify(change, (name, value) => (name === "decidedBy" ? undefined : value));
        if (!changes.has(key)) changes.set(key, { ...change, on: [] });
        changes.get(key).on.push(os);
    }
    return [...changes.values()];
}

function outcomeSummary({ tried, changed }, asked) {
    const compared = asked.length ? ` Compared for ${list(asked.map((os) => systems[os] ?? os))}.` : "";
    if (tried === 0) return `No URL changes.${compared}`;
    if (changed === 0) {
        return `No sample URL changes, of ${number(tried)} made from the rules of both files.${compared}`;
    }
    return `${number(changed)} of ${count(tried, "sample URL")} ${changed === 1 ? "changes" : "change"}.${compared}`;
}

/** The same app may still open a URL while another app's verdict has changed. */
function appsText(before, after, ofApps = [], apps) {
    if (before.outcome !== after.outcome || before.app !== after.app) return null;
    const sentence = ({ app, before, after }) => `${apps.name(app)}: ${appText(before)}, now ${appText(after)}.`;
    return ofApps.map(sentence).join(" ");
}

const appOutcomes = { opens: "a rule matches", excluded: "excluded by a rule", none: "no rule matches" };

function appText(verdict) {
    return appOutcomes[verdict?.outcome] ?? "not in the file";
}

function showRules(place, { rules }, apps) {
    const telling = rules.filter(({ change }) => change !== "same_meaning");
    const same = rules.length - telling.length;
    part(place, "rule-summary").textContent = [
        telling.length === 0 && "No rule changes its meaning.",
        same > 0 && `${count(same, "rule")} written differently with the same meaning.`,
    ].filter(Boolean).join(" ");
    part(place, "rule-changes").hidden = telling.length === 0;
    part(place, "rule-changes").replaceChildren(...telling.map((each) => ruleItem(each, apps)));
}

/** The most characters shown of a value: a variable may have thousands of values. */
const longestValue = 300;

const changes = { added: "Added", removed: "Removed", moved: "Moved", changed: "Changed" };

function ruleItem({ change, from, to, apps: ids, before, after, values = [] }, apps) {
    const item = clone("rule-change", {
        change: changes[change] ?? change,
        effect: isExclusion(after ?? before) ? "Stays on the web" : "Opens",
        apps: list(ids.map((id) => apps.name(id))),
        detail: change === "moved" ? moveText(from, to) : values.map(valueText).join(" "),
    });
    item.dataset.change = change;
    item.dataset.effect = isExclusion(after ?? before) ? "excluded" : "opens";
    part(item, "pattern").replaceChildren(...ruleNodes(after ?? before));
    return item;
}

/** A rule as the file has it: a component under Apple's names, or the text of a path. */
function ruleNodes(rule) {
    if (typeof rule === "string") return [rule.replace(/^NOT\s+/i, "")];
    return patternNodes({ path: rule["/"], query: rule["?"], fragment: rule["#"] });
}

function isExclusion(rule) {
    return typeof rule === "string" ? /^NOT\s/i.test(rule) : Boolean(rule?.exclude);
}

function moveText(from, to) {
    const [before, after] = [from, to].map(numbersIn);
    const isElsewhere = before[0] !== after[0];
    const place = ([entry, rule]) => `place ${rule}${isElsewhere ? ` of entry ${entry}` : ""}`;
    return `From ${place(before)} to ${place(after)}.`;
}

/** `/applinks/details/0/components/2` is `[1, 3]` as people count. */
function numbersIn(pointer) {
    return (pointer.match(/\/\d+/g) ?? []).map((text) => Number(text.slice(1)) + 1);
}

const parts = {
    path: "Path", query: "Query", fragment: "Fragment", exclude: "Stays on the web", comment: "Comment",
    caseSensitive: "Case matters", percentEncoded: "Compared as written", extras: "Other keys", form: "Form",
};

function valueText({ part: name, before, after }) {
    return `${parts[name] ?? name}: ${written(before)}, now ${written(after)}.`;
}

function written(value) {
    if (value === null || value === undefined) return "not set";
    if (typeof value === "boolean") return value ? "yes" : "no";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** The changes other than rules, a sentence each. */
function otherChanges({ entries = [], apps: ofApps, services = [], variables = [], defaults = [], other = [] }, apps) {
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
