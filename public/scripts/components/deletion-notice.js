import { clone } from "../shared/page/template.js";
import { day } from "../shared/times/moments.js";

/** Says on every page that the organization will be deleted. */
export function showDeletion({ organization }) {
    document.getElementById("main").prepend(clone("deletion", { due: day(organization.deletionDueAt) }));
}
