/** What opens at the rules when the user works with them, loaded together. */
export { openRuleMenu } from "./rule-menu.js";
export { RuleOpener } from "./open-rule.js";
export { linkRules } from "../../file/rule-links.js";
export { drag } from "./rule-drag.js";
export { SelectionBar } from "./selection-bar.js";
