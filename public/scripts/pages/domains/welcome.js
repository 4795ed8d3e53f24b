import { addressWithOrganization } from "../../shared/page/addresses.js";
import { fill, part } from "../../shared/page/template.js";

/** Fits the first page of an organization without domains to its user. */
export function fitWelcome(welcome, { me, organization, can }) {
    if (!can("editor")) fill(welcome, { title: `${organization.name} has no domains yet` });
    part(welcome, "no-password").hidden = me.user.hasPassword;
    part(welcome, "set-password").href = `${addressWithOrganization("/account", organization.slug)}#password-title`;
}
