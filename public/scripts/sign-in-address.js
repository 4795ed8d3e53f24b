/** Leaves for the sign-in page, which comes back to this one. */
export function goToSignIn() {
    const from = location.pathname + location.search;
    location.replace(`/sign-in?${new URLSearchParams({ from })}`);
}

/** Where to go after signing in: only ever a page of this very site, whatever the address says. */
export function returnAddress() {
    const from = new URLSearchParams(location.search).get("from") ?? "/";
    const target = URL.canParse(from, location.origin) ? new URL(from, location.origin) : new URL("/", location.origin);
    const isOurs = target.origin === location.origin && target.pathname !== "/sign-in";
    return isOurs ? target.pathname + target.search : "/";
}
