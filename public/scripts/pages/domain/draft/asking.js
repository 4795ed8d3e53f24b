import { clone, part } from "../../../shared/page/template.js";
import { whoChanged } from "./who-changed.js";

/** Says who has changed the draft, and asks whether to apply the edit to the newest draft. */
export async function askConflict({ page }, place, theirs) {
    return ask(place, "conflict", { who: `${await whoChanged(page)}.`, theirs });
}

/** Returns whether the user wants to apply their change. */
export function ask(place, name, texts) {
    const notice = clone(name, texts);
    place.querySelector(":scope > .conflict")?.remove();
    place.prepend(notice);
    notice.focus();
    for (const button of place.querySelectorAll("[data-resting]")) button.textContent = button.dataset.resting;
    return new Promise((resolve) => {
        for (const answer of ["apply", "discard"]) {
            part(notice, answer).addEventListener("click", () => {
                notice.remove();
                resolve(answer === "apply");
            });
        }
    });
}
