import { afterPause } from "../../shared/following/later.js";
import { parseLabels } from "../../shared/forms/labels.js";
import { clone, fill, part, uniqueIDs } from "../../shared/page/template.js";
import { list } from "../../shared/words/numbers.js";

/** The roles that can be limited to domains. */
export const limitable = ["editor", "publisher"];

/** The most labels that the field names, so that they can be typed without looking them up. */
const maximumNamed = 8;

/** Adds a field for the labels that a role is limited to, with these labels. Returns it. */
export function addLimit(form, place, api, labels = []) {
    const field = uniqueIDs(clone("role-limit"));
    place.append(field);
    form.elements.labels.value = labels.join(", ");
    nameLabels(field, api);
    warnOfUnknown(form.elements.labels, field, api);
    return field;
}

/** Names the labels of the organization. They are only a help, so a failure shows none. */
async function nameLabels(field, api) {
    const answer = await api.get("/labels", { query: { limit: maximumNamed } }).catch(() => null);
    if (!answer) return;
    const { body } = answer;
    const names = body.items.map(({ label }) => label);
    const words = body.next ? `${names.join(", ")}, and others` : list(names);
    fill(field, { "known-labels": names.length ? `Labels of your domains: ${words}.` : "No domain has a label yet." });
}

/** Warns of labels that no domain has. They are allowed: a domain may get them later. */
function warnOfUnknown(control, field, api) {
    const known = new Map();
    const isKnown = async (label) => {
        const { body } = await api.get("/labels", { query: { q: label, limit: 1 } });
        return body.items[0]?.label === label;
    };
    let turn = 0;
    const show = async () => {
        const own = ++turn;
        const labels = parseLabels(control.value);
        for (const label of labels) if (!known.has(label)) known.set(label, isKnown(label).catch(() => true));
        const answers = await Promise.all(labels.map((label) => known.get(label)));
        if (own === turn) part(field, "unknown-labels").textContent = unknownWords(labels.filter((_, index) => !answers[index]));
    };
    control.addEventListener("input", afterPause(400, show));
    show();
}

function unknownWords(labels) {
    if (!labels.length) return "";
    return `No domain has the ${labels.length === 1 ? "label" : "labels"} ${list(labels)} yet.`;
}

/** Adds the same field. It shows only while the chosen role can be limited. */
export function offerLimit(form, place, api, labels) {
    const field = addLimit(form, place, api, labels);
    const update = () => (field.hidden = !limitable.includes(form.elements.role.value));
    form.addEventListener("change", update);
    update();
}

/** The fields of a request for the values of a form with this field. */
export function limitOf({ role, labels }) {
    return limitable.includes(role) ? { labels: parseLabels(labels) } : {};
}
