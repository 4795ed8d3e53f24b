import { words } from "../../shared/api/problem.js";

const again = "What you typed stays. It is checked again automatically.";
const stays = "What you typed stays; typing on checks again.";

/** What went wrong with a check, to somebody who does not run this Waymark. */
export function trouble(error) {
    if (error.status === 413) return "The file and the URLs together are more than can be checked at once: at most 1 MiB.";
    if (error.status === 429) return `Too many checks are running. Wait a little. ${stays}`;
    if (error.code === "unreachable") return `There is no answer. Are you online? ${again}`;
    return words(error);
}
