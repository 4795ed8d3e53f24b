import { DomainSchedules } from "../publishing/domain-schedules.js";
import { PendingList } from "../publishing/pending-list.js";
import { PublicationList } from "../publishing/publication-list.js";
import { Serving } from "../serving/serving.js";
import { VersionList } from "./version-list.js";

export { standingItems } from "../head/standing-items.js";

/** The part "Versions": those saved, and what will be published. Returns the functions that update it. */
export function openPart(page) {
    page.serving ??= new Serving(page);
    const versions = new VersionList(page);
    const publications = new PublicationList(page);
    const schedules = new DomainSchedules(page);
    new PendingList(page);
    publications.addEventListener("change", ({ detail }) => versions.showPublications(detail));
    page.serving.addEventListener("change", () => versions.showServing(page.serving.latest));
    return {
        updates: {
            versions: () => versions.show(),
            publications: () => publications.show(),
            schedules: () => schedules.show(),
            serving: () => void page.serving.follow(),
        },
    };
}
