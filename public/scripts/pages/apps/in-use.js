import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";

/** Why something could not be deleted; the API names the first few that still use it and counts the others. */
export function showInUse(row, problem) {
    const message = part(row, "row-problem");
    message.textContent = words(problem);
    message.hidden = false;
    message.focus();
}
