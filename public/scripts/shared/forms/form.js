import { clearErrors, clearErrorsAt, showErrors } from "./field-errors.js";
import { busy } from "./press.js";
import { markTyping, noteTyping, typingSince } from "./typed-work.js";

export { onPress } from "./press.js";

/**
 * Submits a form by `action(values, form, { button, hasTyped })`. While it runs, the button shows that and ignores
 * clicks. `hasTyped()` returns whether the user has typed since the start: an action must not overwrite that. If the
 * action fails, the input is kept, and each error appears next to its field until that field changes.
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
            const hasTyped = typingSince(form);
            try {
                await action(values(form), form, { button, hasTyped });
                if (!hasTyped()) markTyping(form, false);
            } catch (error) {
                showErrors(form, error);
            }
        });
    });
}

/** The controls' values by name, trimmed; an empty text is null. */
export function values(form) {
    const entries = [...new FormData(form)].filter(([, value]) => typeof value === "string");
    return Object.fromEntries(entries.map(([name, value]) => [name, value.trim() || null]));
}
