import { Api } from "../shared/api/api.js";
import { forgetMembership, lastOrganization } from "../shared/api/membership.js";
import { sessionOf } from "../shared/api/session.js";
import { showMasthead } from "./masthead/masthead.js";

/**
 * Shows the masthead of a page that needs no account. A signed-in user keeps the navigation of their organization: of
 * the one in the page's address, otherwise of the one used last. Returns the session, or null for a visitor.
 */
export async function startPublicPage() {
    const session = lastOrganization() === null ? null : await existingSession();
    showMasthead(session);
    return session;
}

async function existingSession() {
    try {
        const { body: me } = await new Api().get("/me");
        const wanted = new URLSearchParams(location.search).get("organization") ?? lastOrganization();
        return sessionOf(me, me.organizations.find(({ slug }) => slug === wanted) ?? me.organizations[0] ?? null);
    } catch (problem) {
        if (problem.isSignedOut) forgetMembership();
        return null;
    }
}
