import { domainAddress } from "../addresses.js";
import { all } from "../api.js";
import { openDialog } from "../dialogs.js";
import { onSubmit } from "../form.js";
import { hostOf } from "../hosts.js";
import { parseLabels } from "../labels.js";

/** Every "Add domain" button of the page opens one and the same form. */
export function offerAdding(main, session) {
    for (const button of main.querySelectorAll("[data-adds-domain]")) {
        button.addEventListener("click", () => openForm(session));
    }
}

function openForm({ api, organization }) {
    const { dialog, part } = openDialog("add-domain");
    const form = part("form");
    offerTargets(api, part("targets"));
    onSubmit(form, async ({ host, aliasOf, labels }) => {
        const { body } = await api.post("/domains", {
            host: hostOf(host ?? ""),
            ...(aliasOf && { aliasOf: hostOf(aliasOf) }),
            labels: parseLabels(labels),
        });
        location.assign(domainAddress(organization.slug, body.host));
        dialog.close();
    });
}

/** Only suggestions: without them the target can still be typed. */
async function offerTargets(api, suggestions) {
    const domains = await all(api, "/domains", { limit: 200 }).catch(() => []);
    const targets = domains.filter(({ aliasOf }) => !aliasOf);
    suggestions.append(...targets.map(({ host }) => new Option(host, host)));
}
