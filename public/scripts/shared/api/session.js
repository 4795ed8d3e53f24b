import { Api } from "./api.js";
import { goToSignIn } from "./sign-in-address.js";

const roles = ["viewer", "editor", "publisher", "admin", "owner"];

/**
 * Who is signed in, and for which organization this page speaks. The organization is always in the page's address;
 * an address without one gets the first that the user belongs to.
 *
 * Answers null when the page is being left for the sign-in page.
 */
export async function openSession() {
    const me = await whoAmI();
    if (!me) return null;
    const organization = chooseOrganization(me);
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

/** Every role that the given one includes: the style sheets show a control only to those who may use it. */
export function rolesUpTo(role) {
    return roles.slice(0, roles.indexOf(role) + 1);
}
