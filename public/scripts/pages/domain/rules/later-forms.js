import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { words } from "../../../shared/api/problem.js";

/** Loads the forms and the menu when the first one opens, or before that when the user comes near. */
export const forms = () => later(() => import("./forms/all.js"), "domain/rule-forms");

/** A `RuleOpener` whose script is loaded with the forms. Its methods are those of the opener; a failure is announced. */
export function laterOpener(...values) {
    let opener = null;
    const method = (name) => async (...wanted) => {
        try {
            const { RuleOpener } = await forms();
            opener ??= new RuleOpener(...values);
        } catch (problem) {
            return announce(words(problem));
        }
        opener[name](...wanted);
    };
    return Object.fromEntries(["add", "addFor", "apps", "edit", "insert"].map((name) => [name, method(name)]));
}
