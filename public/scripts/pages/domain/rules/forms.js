/** The forms of the rules, which are loaded together. */
export { openEntryForm } from "./entry-form.js";
export { openRuleForm } from "./rule-form.js";
