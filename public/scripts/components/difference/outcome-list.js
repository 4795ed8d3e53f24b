import { count, list, number } from "../../shared/words/numbers.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { meaningOf, outcomeGroups } from "./outcome-groups.js";
import { comparedWords, effectSentence, keptWords, outcomeSummary } from "./outcome-words.js";
import { changeWords, effectWords, ruleNodes } from "./rule-words.js";

/** The most rules shown before the others are folded, and the most URLs of an effect. */
const maximumGroups = 10;
const maximumURLs = 100;

/**
 * Shows the URLs whose result changes, grouped by the rule that causes it. The URLs themselves are folded, and so are
 * the rules that only change the reason of a result.
 */
export function showOutcomes(root, { before, after, difference }, apps) {
    const groups = outcomeGroups(difference, before, after);
    const items = groups.map((group) => groupItem(group, difference.systems ?? [], apps));
    // The losses are first, and the groups without any change of outcome last.
    const changing = groups.filter(({ effects }) => meaningOf(effects[0]) !== "same").length;
    const shown = Math.min(changing, maximumGroups);
    part(root, "outcome-summary").textContent = outcomeSummary(difference);
    fill(root, { compared: comparedWords(difference), kept: keptWords(difference) });
    part(root, "outcomes").hidden = shown === 0;
    part(root, "outcomes").replaceChildren(...items.slice(0, shown));
    part(root, "more-outcomes").hidden = items.length === shown;
    part(root, "more-outcomes-words").textContent = moreWords(items.length - shown, changing > shown);
    part(root, "other-outcomes").replaceChildren(...items.slice(shown));
}

function moreWords(more, haveEffect) {
    if (haveEffect) return `${count(more, "more rule")} with an effect`;
    return `${count(more, "rule")} without an effect on the outcome`;
}

function groupItem({ rule, change, apps: ids, isExclusion, effects }, asked, apps) {
    const item = clone("outcome-group", {
        change: changeWords[change],
        effect: rule && effectWords(isExclusion),
        pattern: rule ? "…" : null,
        apps: list(ids.map((id) => apps.name(id))),
        "no-rule": rule ? null : "Other changes",
    });
    item.dataset.change = change ?? "";
    item.dataset.effect = isExclusion ? "excluded" : "opens";
    if (rule) part(item, "pattern").replaceChildren(...ruleNodes(rule));
    part(item, "effects").replaceChildren(...effects.map((effect) => effectItem(effect, asked, apps)));
    return item;
}

function effectItem(effect, asked, apps) {
    const { urls } = effect;
    const item = clone("outcome-effect", { sentence: effectSentence(effect, asked, apps) });
    item.dataset.meaning = meaningOf(effect);
    const isOnly = urls.length === 1;
    part(item, "folded").hidden = isOnly;
    part(item, "only").hidden = !isOnly;
    part(item, "only").append(...(isOnly ? [urlItem(urls[0])] : []));
    part(item, "first").textContent = urls[0].url;
    part(item, "rest").textContent = ` and ${number(urls.length - 1)} more`;
    const more = urls.length - maximumURLs;
    part(item, "urls").replaceChildren(
        ...urls.slice(0, maximumURLs).map(urlItem),
        ...(more > 0 ? [clone("outcome-url", { url: null, note: `and ${number(more)} more` })] : []),
    );
    return item;
}

function urlItem({ url, given }) {
    return clone("outcome-url", { url, note: given ? "saved test" : null });
}
