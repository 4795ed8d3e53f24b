import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { Problem } from "../../shared/api/problem.js";
import { addressWithOrganization } from "../../shared/page/addresses.js";
import { clone, fill, part } from "../../shared/page/template.js";

/** The organizations of the user. If the operator allows it, the user can create another one. */
export function showOrganizations(main, { me, api }) {
    const root = part(main, "organization-list");
    const isAllowed = me.installation.organizationCreation !== "nobody";
    part(root, "list").replaceChildren(...me.organizations.map(row));
    part(root, "list").hidden = !me.organizations.length;
    fill(root, { none: me.organizations.length ? null : emptyWords(isAllowed) });
    const create = part(root, "create");
    create.hidden = !isAllowed;
    create.addEventListener("click", () => openForm(api));
}

function row({ name, slug, role }) {
    const item = clone("organization", { name, role });
    part(item, "name").href = addressWithOrganization("/", slug);
    return item;
}

function emptyWords(isAllowed) {
    return isAllowed
        ? "You belong to no organization yet. Create one, or ask an owner to invite you."
        : "You belong to no organization. Ask an owner to invite you.";
}

function openForm(api) {
    const { part: at } = openDialog("new-organization");
    const form = at("form");
    const { name, slug } = form.elements;
    let isTyped = false;
    slug.addEventListener("input", () => (isTyped = true));
    name.addEventListener("input", () => isTyped || (slug.value = shortName(name.value)));
    onSubmit(form, async (values) => {
        try {
            await api.post("/organizations", { name: values.name ?? "", slug: values.slug ?? "" });
        } catch (problem) {
            const isTaken = problem instanceof Problem && problem.is("exists");
            throw isTaken ? problem.at("/slug", "This short name is taken. Choose another one.") : problem;
        }
        location.assign(addressWithOrganization("/", values.slug));
    });
}

/** A short name for a name: “Acme & Söhne” becomes acme-sohne. */
function shortName(name) {
    const plain = name.normalize("NFD").replace(/\p{Mark}/gu, "").toLowerCase();
    return plain.replace(/[^a-z0-9]+/g, "-").slice(0, 63).replace(/^-+|-+$/g, "");
}
