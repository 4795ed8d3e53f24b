import { words } from "../../shared/api/problem.js";

const again = "Your input is kept and will be checked again automatically.";
const stays = "Your input is kept. Change it to check again.";

/** Why a check failed, for a user who does not operate this Waymark. */
export function trouble(error) {
    if (error.status === 413) return "The file and the URLs together are too large. The limit is 1 MiB.";
    if (error.status === 429) return `Too many checks are running. Wait a moment. ${stays}`;
    if (error.code === "unreachable") return `Waymark does not answer. Are you online? ${again}`;
    return words(error);
}
