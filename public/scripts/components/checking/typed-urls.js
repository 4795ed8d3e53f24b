/** The most URLs that one request explains, and that one request checks. */
export const maximumExplained = 50;
export const maximumChecked = 10_000;
const longestURL = 8_192;

/** The URLs of a text with one per line. A path gets the host; empty lines are left out. */
export function typedURLs(text, host) {
    const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
    return lines.map((line) => (line.startsWith("/") ? `https://${host}${line}` : line).slice(0, longestURL));
}

/** The index of the URL at the caret of a text area. */
export function indexAtCaret({ value, selectionStart }) {
    return value.slice(0, selectionStart).split("\n").slice(0, -1).filter((line) => line.trim()).length;
}

/** A URL without its host if that is `host`. */
export function shortURL(url, host) {
    const origin = `https://${host}`;
    return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}
