import { mayClose } from "../../../../components/dialogs.js";

/** Escape closes a form. If the user has typed in it, a dialog asks first. */
export function closesOnEscape(form, close) {
    form.addEventListener("keydown", async (event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault();
        if (await mayClose(form)) close();
    });
}
