import { clearErrors, clearErrorsAt, showErrors } from "./field-errors.js";
import { markTyping, noteTyping } from "./typed-work.js";

/**
 * Submits a form by `action(values, form, button)`. While it runs, the button shows that and ignores clicks. If it
 * fails, the input is kept, and each error appears next to its field until that field changes.
 */
export function onSubmit(form, action) {
    form.noValidate = true;
    noteTyping(form);
    form.addEventListener("input", ({ target }) => clearErrorsAt(form, target));
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (form.ariaBusy === "true") return;
        clearErrors(form);
        const button = event.submitter ?? form.querySelector("[type=submit]");
        await busy(form, button, async () => {
            try {
                await action(values(form), form, button);
                markTyping(form, false);
            } catch (error) {
                showErrors(form, error);
            }
        });
    });
}

/** Runs the action of a button outside a form. Calls `failed` with its problem. */
export function onPress(button, action, failed) {
    button.addEventListener("click", () =>
        busy(button, button, async () => {
            try {
                await action();
            } catch (error) {
                failed(error);
            }
        }),
    );
}

/** The controls' values by name, trimmed; an empty text is null. */
export function values(form) {
    const entries = [...new FormData(form)].filter(([, value]) => typeof value === "string");
    return Object.fromEntries(entries.map(([name, value]) => [name, value.trim() || null]));
}

async function busy(element, button, action) {
    if (button?.ariaDisabled === "true") return;
    element.ariaBusy = "true";
    if (button) button.ariaDisabled = "true";
    const resting = button?.dataset.busy ? button.textContent : null;
    if (resting !== null) button.textContent = button.dataset.busy;
    try {
        await action();
    } finally {
        element.ariaBusy = "false";
        if (button) button.ariaDisabled = "false";
        if (resting !== null && button.textContent === button.dataset.busy) button.textContent = resting;
    }
}
