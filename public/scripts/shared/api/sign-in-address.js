/** Leaves for the sign-in page, which comes back to this one. */
export function goToSignIn() {
    const from = location.pathname + location.search;
    location.replace(`/sign-in?${new URLSearchParams({ from })}`);
}

/**
 * Where to go after signing in: only ever a page of this very site, whatever the address says. It is the whole address,
 * as it was resolved: a path that begins with `//` would be read again as another site.
 */
export function returnAddress() {
    const from = new URLSearchParams(location.search).get("from") ?? "/";
    const home = new URL("/", location.origin);
    const target = URL.canParse(from, home) ? new URL(from, home) : home;
    const isOurs = target.origin === home.origin && target.pathname !== "/sign-in" && !target.pathname.startsWith("//");
    return (isOurs ? target : home).href;
}
