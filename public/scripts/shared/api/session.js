import { Api } from "./api.js";
import { goToSignIn } from "./sign-in-address.js";

const roles = ["viewer", "editor", "publisher", "admin", "owner"];

/**
 * The signed-in user, and the organization of this page. The organization is in the page's address; an address without
 * one gets the user's first organization.
 *
 * Returns null if the page is leaving for the sign-in page.
 */
export async function openSession() {
    const me = await whoAmI();
    if (!me) return null;
    const organization = chooseOrganization(me);
    return { me, organization, api: new Api(organization?.slug), can: (role) => reaches(organization?.role, role) };
}

/** The same for a page that needs no account: null for a visitor, and the address stays as it is. */
export async function sessionOfVisitor() {
    const me = await whoAmI({ isRequired: false });
    return me && { me, organization: wantedOrganization(me) ?? me.organizations[0] ?? null };
}

async function whoAmI({ isRequired = true } = {}) {
    try {
        return (await new Api().get("/me")).body;
    } catch (problem) {
        if (!problem.isSignedOut) throw problem;
        if (isRequired) goToSignIn();
        return null;
    }
}

function wantedOrganization({ organizations }) {
    const wanted = new URLSearchParams(location.search).get("organization");
    return organizations.find(({ slug }) => slug === wanted) ?? null;
}

function chooseOrganization({ organizations }) {
    const address = new URL(location.href);
    if (address.searchParams.get("organization")) return wantedOrganization({ organizations });
    if (!organizations.length) return null;
    address.searchParams.set("organization", organizations[0].slug);
    history.replaceState(null, "", address);
    return organizations[0];
}

function reaches(held, needed) {
    return roles.indexOf(held) >= roles.indexOf(needed);
}

/** The roles that a role includes. The style sheets use them to hide controls that the user may not use. */
export function rolesUpTo(role) {
    return roles.slice(0, roles.indexOf(role) + 1);
}
