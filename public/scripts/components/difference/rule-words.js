import { patternNodes } from "../../shared/words/pattern.js";

/** The words for a kind of change. */
export const changeWords = { added: "Added", removed: "Removed", moved: "Moved", changed: "Changed" };

/** Whether a rule of a file, a component or the text of a path, keeps its URLs on the web. */
export function isExclusion(rule) {
    return typeof rule === "string" ? /^NOT\s/i.test(rule) : Boolean(rule?.exclude);
}

/** The pattern of a rule under the draft's names. */
export function patternOf(rule) {
    if (typeof rule === "string") return { path: rule.replace(/^NOT\s+/i, "") };
    return { path: rule?.["/"], query: rule?.["?"], fragment: rule?.["#"] };
}

export function ruleNodes(rule) {
    return patternNodes(patternOf(rule));
}

export function effectWords(excludes) {
    return excludes ? "Stays on the web" : "Opens";
}
