import { untilFocused } from "../../../shared/following/later.js";

/** Offers to sign in in another tab, so that nothing typed here is lost. Waits until the user comes back. */
export function untilSignedIn(notice, organization) {
    const link = document.createElement("a");
    link.href = `/sign-in?${new URLSearchParams({ organization, from: `/?organization=${organization}` })}`;
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = "Sign in";
    notice.replaceChildren("You are signed out. Your input is kept. ", link, " in a new tab, then continue here.");
    return untilFocused();
}
