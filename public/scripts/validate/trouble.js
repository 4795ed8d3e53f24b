import { words } from "../problem.js";

const stays = "What you typed stays; typing on checks again.";

/** What went wrong with a check, to somebody who does not run this Waymark. */
export function trouble(error) {
    if (error.status === 413) return "This is more than can be checked at once.";
    if (error.status === 429) return `Too many checks came from your address. Wait a little. ${stays}`;
    if (error.code === "unreachable") return `There is no answer. Are you online? ${stays}`;
    return words(error);
}
