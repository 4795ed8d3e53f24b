/** The host of a pasted URL; any other text unchanged, for the API to check. */
export function hostOf(text) {
    return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text;
}

/** The hosts of a pasted list, separated by lines or commas: each once, in order. */
export function parseHosts(text) {
    const hosts = (text ?? "").split(/[\s,;]+/).filter(Boolean);
    return [...new Set(hosts.map(hostOf))];
}
