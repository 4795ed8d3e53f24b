/** People paste addresses; what is wanted is the host in them. Anything else goes to the API as it was typed. */
export function hostOf(text) {
    return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text;
}

/** What is pasted, one a line or with commas between: each host once, in the order given. */
export function parseHosts(text) {
    const hosts = (text ?? "").split(/[\s,;]+/).filter(Boolean);
    return [...new Set(hosts.map(hostOf))];
}
