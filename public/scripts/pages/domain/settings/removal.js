import { addressWithOrganization } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { later } from "../../../components/later.js";
import { onPress } from "../../../shared/forms/form.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";

/** Deletes a domain. One that has been published cannot be deleted: Apple's systems would find no file. */
export function offerRemoval(page) {
    const { main, api, session } = page;
    const { host, unicodeHost, verified } = page.domain;
    const section = part(main, "removal");
    const isOffered = !verified || session.can("createPublication");
    part(section, "delete").hidden = !isOffered;
    part(section, "publishers").hidden = isOffered;
    const showState = () => {
        const isWithdrawn = page.domain.state === "withdrawn";
        showServed(main, { isServed: Boolean(page.domain.live) || isWithdrawn, isWithdrawn });
    };
    page.head.addEventListener("change", showState);
    showState();
    const failed = (error) => {
        if (error.code === "domain_is_served") return showServed(main, { isServed: true, isWithdrawn: false });
        part(section, "problem").textContent = words(error);
        part(section, "problem").hidden = false;
    };
    onPress(
        part(section, "delete"),
        async () => {
            part(section, "problem").hidden = true;
            const { confirm } = await later(() => import("../../../components/dialogs.js"));
            const isSure = await confirm({
                title: `Delete ${unicodeHost}?`,
                detail: "This also deletes its draft and cannot be undone.",
                action: "Delete domain",
            });
            if (!isSure) return;
            await api.delete(at`/domains/${host}`);
            location.assign(addressWithOrganization("/", session.organization.slug));
        },
        failed,
    );
}

/** For a domain that has been published, says what to do instead of deleting it. */
function showServed(main, { isServed, isWithdrawn }) {
    const section = part(main, "removal");
    section.dataset.served = isServed;
    part(section, "served-note").hidden = !isServed;
    part(section, "served-until-withdrawn").hidden = isWithdrawn;
    part(section, "served-no-more").hidden = !isWithdrawn;
    const hadFocus = document.activeElement === part(section, "delete");
    if (isServed && hadFocus) part(section, "served-note").focus();
}
