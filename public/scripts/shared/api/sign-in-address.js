import { forgetMembership } from "./membership.js";

/** The key of the text after the `#` of the page to return to. It may be a private link, so no server gets it. */
const fragment = "waymark-fragment";

/** Goes to the sign-in page, which returns to this page. */
export function goToSignIn() {
    forgetMembership();
    const from = location.pathname + location.search;
    sessionStorage.setItem(fragment, JSON.stringify({ from, hash: location.hash }));
    location.replace(`/sign-in?${new URLSearchParams({ from })}`);
}

/** The code of a sign-in link. The user may paste the whole link or only its code. */
export function codeOf(text) {
    return text.slice(text.lastIndexOf("#") + 1).trim();
}

/**
 * The page to go to after signing in: always a page of this site, whatever the address says. Returns the full resolved
 * address, because a path that begins with `//` would be read as another site.
 */
export function returnAddress() {
    const from = new URLSearchParams(location.search).get("from") ?? "/";
    const home = new URL("/", location.origin);
    const target = URL.canParse(from, home) ? new URL(from, home) : home;
    const isOurs = target.origin === home.origin && target.pathname !== "/sign-in" && !target.pathname.startsWith("//");
    if (!isOurs) return home.href;
    const kept = JSON.parse(sessionStorage.getItem(fragment) ?? "{}");
    if (kept.from === from) target.hash = kept.hash;
    return target.href;
}
