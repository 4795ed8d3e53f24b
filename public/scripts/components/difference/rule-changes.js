import { count, list, number } from "../../shared/words/numbers.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { changeWords, effectWords, isExclusion, ruleNodes } from "./rule-words.js";
import { written } from "./values.js";

/** Shows the rules that change, folded, with their number of each kind. */
export function showRules(place, { rules }, apps) {
    const telling = rules.filter(({ change }) => change !== "same_meaning");
    const same = rules.length - telling.length;
    const timesOf = (kind) => telling.filter(({ change }) => change === kind).length;
    const counts = Object.keys(changeWords).filter(timesOf).map((kind) => `${number(timesOf(kind))} ${kind}`);
    const changes = `${count(telling.length, "rule change")}: ${counts.join(", ")}.`;
    const summary = [
        telling.length ? changes : "No rule changes its meaning.",
        same > 0 && `${count(same, "rule")} written differently with the same meaning.`,
    ];
    const words = summary.filter(Boolean).join(" ");
    fill(place, { "rule-summary": telling.length ? words : null, "no-rules": telling.length ? null : words });
    part(place, "rule-changes").replaceChildren(...telling.map((each) => ruleItem(each, apps)));
    part(place, "rules").hidden = telling.length === 0;
}

function ruleItem({ change, from, to, apps: ids, before, after, values = [] }, apps) {
    const item = clone("rule-change", {
        change: changeWords[change] ?? change,
        effect: effectWords(isExclusion(after ?? before)),
        apps: list(ids.map((id) => apps.name(id))),
        detail: change === "moved" ? moveText(from, to) : values.map(valueText).join(" "),
    });
    item.dataset.change = change;
    item.dataset.effect = isExclusion(after ?? before) ? "excluded" : "opens";
    part(item, "pattern").replaceChildren(...ruleNodes(after ?? before));
    return item;
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
