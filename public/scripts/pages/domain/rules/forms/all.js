/** What opens at the rules when the user works with them, loaded together. */
export { openEntryForm } from "./entry-form.js";
export { openRuleMenu } from "./rule-menu.js";
export { showRuleFindings } from "./rule-findings.js";
export { linkRules } from "../../file/rule-links.js";
export { SelectionBar } from "./selection-bar.js";
export { openRuleForm } from "./rule-form.js";
