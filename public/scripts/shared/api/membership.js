const setting = "waymark-organization";

/**
 * The organization that this browser used last, or null without a session. Public pages show its navigation before
 * they know the session, and visitors without an account cost no request.
 */
export function lastOrganization() {
    return localStorage.getItem(setting);
}

export function keepMembership(organization) {
    localStorage.setItem(setting, organization?.slug ?? "");
    document.documentElement.dataset.signedIn = "";
}

export function forgetMembership() {
    localStorage.removeItem(setting);
    delete document.documentElement.dataset.signedIn;
}
