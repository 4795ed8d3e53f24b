import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";

/** Shows why an item could not be deleted. The API names some of its uses and counts the others. */
export function showInUse(row, problem) {
    const message = part(row, "row-problem");
    message.textContent = words(problem);
    message.hidden = false;
    message.focus();
}
