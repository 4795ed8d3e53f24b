import { addressWithOrganization } from "../../shared/page/addresses.js";
import { part } from "../../shared/page/template.js";

/** Tells a user who signed in by a link to set a password, while there is nothing else to see. */
export function offerPassword(welcome, { me, organization }) {
    part(welcome, "no-password").hidden = me.user.hasPassword;
    part(welcome, "set-password").href = `${addressWithOrganization("/account", organization.slug)}#password-title`;
}
