import { confirm } from "../../../../components/dialogs.js";

/** Escape closes a form. If the user has typed in it, a dialog asks first. */
export function closesOnEscape(form, close) {
    let isTypedIn = false;
    form.addEventListener("input", () => (isTypedIn = true));
    form.addEventListener("keydown", async (event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault();
        const title = "Discard your changes?";
        const detail = "They have not been saved.";
        if (isTypedIn && !(await confirm({ title, detail, action: "Discard" }))) return;
        close();
    });
}
