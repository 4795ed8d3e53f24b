import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { words } from "../../../shared/api/problem.js";

/** Loads the forms and the menu when the first one opens, or before that when the user comes near. */
export const forms = () => later(() => import("./forms/all.js"), "domain/rule-forms");

/**
 * The methods of a `RuleOpener`, whose script is loaded with the forms. A failure is announced. If the user has moved
 * the focus before the script arrives, the form opens without taking it.
 */
export function laterOpener(...values) {
    const method = (name) => async (...wanted) => {
        const from = document.activeElement;
        const loaded = await forms().catch((problem) => announce(words(problem)));
        if (loaded) new loaded.RuleOpener(from, ...values)[name](...wanted);
    };
    return Object.fromEntries(["add", "addFor", "apps", "edit", "insert"].map((name) => [name, method(name)]));
}
