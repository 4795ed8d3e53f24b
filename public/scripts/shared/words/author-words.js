/**
 * Who did something: a person by their address, and a token as "token deploy", because it is no person. Waymark's own
 * acts are by "Waymark".
 */
export function authorWords({ kind, name }) {
    if (kind === "token") return `token ${name}`;
    return kind === "system" && name === "waymark" ? "Waymark" : name;
}
