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
    return sessionOf(me, chooseOrganization(me));
}

/** A user's session in one of their organizations, or in none. */
export function sessionOf(me, organization) {
    return { me, organization, api: new Api(organization?.slug), can: (role) => reaches(organization?.role, role) };
}

async function whoAmI() {
    try {
        return (await new Api().get("/me")).body;
    } catch (problem) {
        if (!problem.isSignedOut) throw problem;
        goToSignIn();
        return null;
    }
}

function chooseOrganization({ organizations }) {
    const address = new URL(location.href);
    const wanted = address.searchParams.get("organization");
    if (wanted) return organizations.find(({ slug }) => slug === wanted) ?? null;
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
