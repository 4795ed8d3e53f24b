import { at } from "../../shared/api/api.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { copies } from "../../shared/page/clipboard.js";
import { tokenRights } from "../../shared/words/role-words.js";
import { limitOf, offerLimit } from "./role-limit.js";
import { roleChoices } from "./role-choices.js";

/** What each kind of CI system needs: the claims at first, the usual issuer, and where to find the values. */
const systems = {
    github: {
        claims: ["repository_id", "repository_owner_id", "ref"],
        values: { ref: "refs/heads/main" },
        issuer: "https://token.actions.githubusercontent.com",
        hint: "The IDs are numbers: gh api repos/OWNER/NAME --jq '{repository_id: .id, repository_owner_id: .owner.id}'. Instead of ref, you can require environment.",
    },
    gitlab: {
        claims: ["project_id", "namespace_id", "ref_type", "ref"],
        values: { ref_type: "branch", ref: "main" },
        issuer: "https://gitlab.com",
        hint: "The IDs are numbers, on the pages of the project and of its group. Instead of ref_type and ref, you can require environment.",
    },
    other: { claims: ["sub"], values: {}, issuer: "https://id.example.com", hint: "At least sub is required." },
};

/** Asks which jobs to trust, and creates the trust. `created` gets it. */
export function createTrust(session, created) {
    const { dialog, part: each } = openDialog("trust", { title: "Trust jobs of a CI system", submit: "Create trust" });
    const form = each("form");
    const { provider, claims, issuer } = form.elements;
    offerRole(session, form, each);
    const update = () => {
        const system = systems[provider.value];
        claims.value = lines(system.claims.map((name) => [name, system.values[name] ?? ""]));
        issuer.placeholder = system.issuer;
        each("issuer-optional").hidden = provider.value === "other";
        each("claims-hint").textContent = `One claim on each line, as name = value. ${system.hint}`;
    };
    provider.addEventListener("change", update);
    update();
    onSubmit(form, async (values) => {
        const made = { ...terms(values), provider: values.provider, ...(values.issuer && { issuer: values.issuer }) };
        const { body } = await session.api.post("/trusts", made);
        dialog.close();
        created(body);
    });
}

/** Asks for other terms of a trust, and changes it. `changed` gets the trust. */
export function changeTrust(session, trust, changed) {
    const { dialog, part: each } = openDialog("trust", { title: `Change trust ${trust.name}`, submit: "Change trust" });
    const form = each("form");
    for (const field of ["provider-field", "issuer-field"]) each(field).hidden = true;
    each("ends").hidden = false;
    each("claims-hint").textContent = "One claim on each line, as name = value.";
    offerRole(session, form, each, trust);
    const { name, claims, audience, lifetimeSeconds } = form.elements;
    [name.value, claims.value, audience.value] = [trust.name, lines(Object.entries(trust.claims)), trust.audience];
    lifetimeSeconds.value = trust.lifetimeSeconds;
    onSubmit(form, async (values) => {
        const { body } = await session.api.patch(at`/trusts/${trust.id}`, terms(values));
        dialog.close();
        changed(body);
    });
}

/** Shows what a job needs: the audience, and the command. */
export function showUse({ name, audience }, { organization }) {
    const command = `waymark token exchange --organization ${organization.slug}`;
    const { closed, part: each } = openDialog("trust-use", { title: `Jobs of ${name}`, audience, command });
    for (const [button, text] of [["copy-audience", audience], ["copy-command", command]]) copies(each(button), () => text);
    return closed;
}

function offerRole({ api, organization }, form, each, { role, labels } = {}) {
    each("roles").append(...roleChoices(organization.role, tokenRights));
    if (role) form.elements.role.value = role;
    offerLimit(form, each("limit"), api, labels);
}

function terms({ name, claims, audience, role, labels, lifetimeSeconds }) {
    const required = (claims ?? "").split("\n").filter((line) => line.trim()).map((line) => {
        const [claim, ...value] = line.split("=");
        return [claim.trim(), value.join("=").trim()];
    });
    return {
        name: name ?? "",
        claims: Object.fromEntries(required),
        ...(audience && { audience }),
        role,
        ...limitOf({ role, labels }),
        lifetimeSeconds: Number(lifetimeSeconds),
    };
}

function lines(claims) {
    return claims.map(([name, value]) => `${name} = ${value}`).join("\n");
}
