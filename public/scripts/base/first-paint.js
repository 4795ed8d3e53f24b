// Runs in the head, before the page is painted for the first time, so that it never appears in the wrong colors or with
// the wrong navigation. A module would run too late.
try {
    const root = document.documentElement;
    const theme = localStorage.getItem("waymark-theme");
    if (theme) root.dataset.theme = theme;
    if (localStorage.getItem("waymark-organization") !== null) root.dataset.signedIn = "";
} catch {
    // The browser stores nothing for this site: the system's theme is used.
}
