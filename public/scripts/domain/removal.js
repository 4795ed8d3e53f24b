import { addressWithOrganization } from "../addresses.js";
import { at } from "../api.js";
import { confirm } from "../dialogs.js";
import { onPress } from "../form.js";
import { words } from "../problem.js";
import { part } from "../template.js";

/** Deleting a domain. One that has ever been served stays: Apple's systems would ask for it and find nothing. */
export function offerRemoval({ main, api, session }, { host, unicodeHost }) {
    const section = part(main, "removal");
    const failed = (error) => {
        part(section, "problem").textContent = words(error);
        part(section, "problem").hidden = false;
    };
    onPress(
        part(section, "delete"),
        async () => {
            part(section, "problem").hidden = true;
            const isSure = await confirm({
                title: `Delete ${unicodeHost}?`,
                detail: "Its draft goes with it. This cannot be taken back.",
                action: "Delete domain",
            });
            if (!isSure) return;
            await api.delete(at`/domains/${host}`);
            location.assign(addressWithOrganization("/", session.organization.slug));
        },
        failed,
    );
}
