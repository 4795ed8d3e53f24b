import { Problem } from "../shared/api/problem.js";

/** Makes the button beside each password field in `root` show and hide the password. */
export function offerReveal(root) {
    for (const button of root.querySelectorAll("[data-reveals]")) {
        const input = button.parentElement.querySelector("input");
        button.addEventListener("click", () => reveal(input, button, input.type === "password"));
        // Browsers offer to store only a password that is sent from a password field.
        input.form.addEventListener("submit", () => reveal(input, button, false), { capture: true });
    }
}

function reveal(input, button, isShown) {
    input.type = isShown ? "text" : "password";
    button.ariaPressed = String(isShown);
    button.textContent = isShown ? "Hide" : "Show";
}

/** Shows a refused password or sign-in link at its field, with `sentence` for a wrong password. */
export function atPassword(problem, sentence) {
    if (!(problem instanceof Problem)) return problem;
    if (problem.is("invalid_credentials")) return problem.at("/password", sentence);
    if (problem.is("invalid_code")) return problem.at("/code");
    return problem.is("too_many_sign_ins") ? problem.at("/password") : problem;
}
