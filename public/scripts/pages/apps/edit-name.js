import { clearErrors } from "../../shared/forms/field-errors.js";
import { onSubmit } from "../../shared/forms/form.js";
import { part } from "../../shared/page/template.js";

/** Turns a row's name into a field and back. Escape restores the old name. */
export function editNameOf(row, name, save) {
    const form = part(row, "name-form");
    const open = (isOpen) => {
        form.hidden = !isOpen;
        part(row, "resting").hidden = isOpen;
        clearErrors(form);
        (isOpen ? form.elements.name : part(row, "rename")).focus();
    };
    part(row, "rename").addEventListener("click", () => {
        form.elements.name.value = name;
        open(true);
        form.elements.name.select();
    });
    part(row, "cancel").addEventListener("click", () => open(false));
    form.addEventListener("keydown", (event) => event.key === "Escape" && open(false));
    onSubmit(form, ({ name: wanted }) => save(wanted ?? ""));
}
