import { parseLabels } from "../../shared/forms/labels.js";
import { clone, uniqueIDs } from "../../shared/page/template.js";

/** The roles that can be limited to domains. */
export const limitable = ["editor", "publisher"];

/** Adds a field for the labels that a role is limited to, with these labels. Returns it. */
export function addLimit(form, place, labels = []) {
    const field = uniqueIDs(clone("role-limit"));
    place.append(field);
    form.elements.labels.value = labels.join(", ");
    return field;
}

/** Adds the same field. It shows only while the chosen role can be limited. */
export function offerLimit(form, place, labels) {
    const field = addLimit(form, place, labels);
    const update = () => (field.hidden = !limitable.includes(form.elements.role.value));
    form.addEventListener("change", update);
    update();
}

/** The fields of a request for the values of a form with this field. */
export function limitOf({ role, labels }) {
    return limitable.includes(role) ? { labels: parseLabels(labels) } : {};
}
