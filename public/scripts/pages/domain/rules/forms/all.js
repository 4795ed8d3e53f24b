/** The forms and the menu of the rules, which are loaded together. */
export { openEntryForm } from "./entry-form.js";
export { openRuleMenu } from "./rule-menu.js";
export { openRuleForm } from "./rule-form.js";
