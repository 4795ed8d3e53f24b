import { confirm } from "../../../components/dialogs.js";

/** Escape closes a form. If something was typed in it, it asks first: a key that is hit by mistake loses nothing. */
export function closesOnEscape(form, close) {
    let isTypedIn = false;
    form.addEventListener("input", () => (isTypedIn = true));
    form.addEventListener("keydown", async (event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault();
        const title = "Discard what you typed?";
        const detail = "It has not been saved.";
        if (isTypedIn && !(await confirm({ title, detail, action: "Discard" }))) return;
        close();
    });
}
