import { at } from "../../shared/api/api.js";
import { patternNodes } from "../../shared/words/pattern.js";
import { list } from "../../shared/words/numbers.js";
import { clone, fill, part } from "../../shared/page/template.js";

/** Shows the rules of a domain's draft that open the app or exclude URLs, by entry. */
export async function showRules(root, { api }, { appID }, { host }) {
    const { body: draft } = await api.get(at`/domains/${host}/draft`);
    const entries = draft.entries.filter(({ apps }) => apps.includes(appID));
    root.replaceChildren(...entries.map((entry) => entryRules(entry, appID)));
    if (!entries.length) root.textContent = "No entry of the draft names this app. Only services name it.";
}

function entryRules({ apps, rules }, appID) {
    const others = apps.filter((app) => app !== appID);
    const entry = clone("use-entry", { with: others.length ? `Shared with ${list(others)}` : null });
    if (rules === null) fill(entry, { with: "This entry has no rule list, so it opens every URL." });
    part(entry, "list").replaceChildren(...(rules ?? []).map(ruleItem));
    part(entry, "list").hidden = !rules?.length;
    return entry;
}

function ruleItem(rule) {
    const item = clone("use-rule", { verdict: rule.exclude ? "Excludes" : "Opens", comment: rule.comment });
    part(item, "verdict").dataset.excludes = Boolean(rule.exclude);
    part(item, "pattern").replaceChildren(...patternNodes(rule));
    return item;
}
