import { newestPlace } from "../following/event-follower.js";
import { Api } from "./api.js";
import { goToSignIn } from "./sign-in-address.js";

const roles = ["viewer", "editor", "publisher", "admin", "owner"];

/**
 * The signed-in user, and the organization of this page. The organization is in the page's address; an address without
 * one gets the user's first organization. For a page that `followsEvents`, `place` resolves to the position of the
 * newest event. It is read before anything else of the organization, so that the page misses no later change.
 *
 * Returns null if the page is leaving for the sign-in page.
 */
export async function openSession({ followsEvents = false } = {}) {
    const early = followsEvents ? placeInAddress() : null;
    const me = await whoAmI();
    if (!me) return null;
    const session = sessionOf(me, chooseOrganization(me));
    if (followsEvents && session.organization) session.place = early ?? newestPlace(session.api);
    return session;
}

/** The place, requested at the same time as the user, if the address names the organization. */
function placeInAddress() {
    const wanted = new URLSearchParams(location.search).get("organization");
    if (!wanted) return null;
    const place = newestPlace(new Api(wanted));
    // The page waits for it later, or never, if the user is not a member.
    place.catch(() => {});
    return place;
}

/**
 * A user's session in one of their organizations, or in none. `can` takes a role, or the name of an operation, which the
 * server replaces with the role that it needs.
 */
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
