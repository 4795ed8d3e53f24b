import { Problem, words } from "../api/problem.js";

/**
 * Shows the API's errors next to their fields: an error's JSON Pointer names the control with that `data-pointer`, or
 * the nearest control around it. An empty control shows its `data-empty` text. Other errors appear above the buttons.
 */
export function showErrors(form, error) {
    clearErrors(form);
    const errors = error instanceof Problem ? error.errors : [];
    const homeless = errors.filter((each) => !place(form, each));
    const summary = homeless.length ? homeless.map((each) => each.detail) : errors.length ? [] : [formWords(error)];
    showSummary(form, summary);
    const faulty = form.querySelector("[aria-invalid=true]") ?? form.querySelector("[data-part=problem]:not([hidden])");
    (faulty?.matches("fieldset") ? faulty.querySelector("input, select, textarea") : faulty)?.focus();
}

function formWords(error) {
    return error.code === "unreachable" ? "Waymark does not answer. Your input is kept. Try again." : words(error);
}

export function clearErrors(form) {
    form.querySelectorAll("[aria-invalid=true]").forEach(clearErrorsOf);
    showSummary(form, []);
}

/** Clears the errors of a changed control and of the groups that contain it. */
export function clearErrorsAt(form, changed) {
    const concerned = [...form.querySelectorAll("[aria-invalid=true]")].filter((control) => control.contains(changed));
    concerned.forEach(clearErrorsOf);
    showSummary(form, []);
}

function clearErrorsOf(control) {
    control.removeAttribute("aria-invalid");
    for (const id of (control.getAttribute("aria-describedby") ?? "").split(" ")) {
        if (id.startsWith(errorID)) document.getElementById(id)?.remove();
    }
    restoreDescription(control);
}

function place(form, { pointer, detail }) {
    const control = controlFor(form, pointer);
    if (!control) return false;
    // One message is enough for an empty field.
    if (control.value === "" && control.ariaInvalid === "true") return true;
    const message = document.createElement("p");
    message.className = "field-error";
    message.id = `${errorID}${++lastID}`;
    message.textContent = (control.value === "" && control.dataset.empty) || detail;
    control.setAttribute("aria-invalid", "true");
    control.dataset.description ??= control.getAttribute("aria-describedby") ?? "";
    control.setAttribute("aria-describedby", `${message.id} ${control.getAttribute("aria-describedby") ?? ""}`.trim());
    (control.closest(".field") ?? control).append(message);
    return true;
}

function restoreDescription(control) {
    if (control.dataset.description) control.setAttribute("aria-describedby", control.dataset.description);
    else control.removeAttribute("aria-describedby");
    delete control.dataset.description;
}

/** The control for a pointer: for `/query/articleNumber`, or else for `/query`. */
function controlFor(form, pointer) {
    const controls = [...form.querySelectorAll("[data-pointer]")].filter((control) => !control.closest("[hidden]"));
    for (let path = pointer ?? ""; path; path = path.slice(0, path.lastIndexOf("/"))) {
        const control = controls.find((each) => each.dataset.pointer === path);
        if (control) return control;
    }
    return null;
}

function showSummary(form, sentences) {
    const summary = form.querySelector("[data-part=problem]");
    if (!summary) return;
    summary.hidden = sentences.length === 0;
    summary.textContent = sentences.join(" ");
}

const errorID = "field-error-";
let lastID = 0;
