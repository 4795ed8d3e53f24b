const setting = "waymark-theme";

/** The theme that the user chose: "light", "dark", or "" to follow the system. `first-paint.js` applies it at start. */
export function chosenTheme() {
    return localStorage.getItem(setting) ?? "";
}

export function chooseTheme(theme) {
    if (theme) localStorage.setItem(setting, theme);
    else localStorage.removeItem(setting);
    apply(theme);
}

/** Calls `changed` when the theme is changed here or in another tab. */
export function onTheme(changed) {
    listeners.add(changed);
}

function apply(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    for (const changed of listeners) changed(theme);
}

const listeners = new Set();

window.addEventListener("storage", ({ key, newValue }) => key === setting && apply(newValue ?? ""));
