import { announce } from "../../../components/announce.js";
import { later } from "../../../components/later.js";
import { words } from "../../../shared/api/problem.js";

/** Loads the forms and the menu when the first one opens, or before that when the user comes near. */
export const forms = () => later(() => import("./forms/all.js"), "domain/rule-forms");

/** The same, for what the user has begun. A failure is announced, and returns nothing. */
const announcedForms = () => forms().catch((problem) => announce(words(problem)));

/** Lets the user sort rules by dragging their handles. */
export function sortLater(root, moved) {
    root.addEventListener("pointerdown", async (event) => {
        const handle = event.target.closest("[data-part=handle]");
        if (handle && event.button === 0) (await announcedForms())?.drag(handle, event, moved);
    });
}

/**
 * The methods of a `RuleOpener`, whose script is loaded with the forms. If the user has moved the focus before the script
 * arrives, the form opens without taking it.
 */
export function laterOpener(...values) {
    const method = (name) => async (...wanted) => {
        const from = document.activeElement;
        const loaded = await announcedForms();
        const isHere = [from, document.body].includes(document.activeElement);
        if (loaded) new loaded.RuleOpener(isHere, ...values)[name](...wanted);
    };
    return Object.fromEntries(["add", "addFor", "apps", "edit", "insert"].map((name) => [name, method(name)]));
}
