import { domainAddress } from "../../shared/page/addresses.js";
import { all } from "../../shared/api/api.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { hostOf } from "../../shared/forms/hosts.js";
import { parseLabels } from "../../shared/forms/labels.js";
import { markTyping } from "../../shared/forms/typed-work.js";

/** Opens the form from every "Add domain" button of the page. */
export function offerAdding(main, session) {
    for (const button of main.querySelectorAll("[data-adds-domain]")) {
        button.addEventListener("click", () => openForm(session));
    }
    if (session.can("editor")) openIfAsked(session);
}

/** Opens the form that another page links to: once, not with every reload. */
function openIfAsked(session) {
    const address = new URL(location.href);
    if (!address.searchParams.has("new")) return;
    address.searchParams.delete("new");
    history.replaceState(history.state, "", address);
    openForm(session);
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
        markTyping(form, false);
        location.assign(domainAddress(organization.slug, body.host));
        dialog.close();
    });
}

/** Only suggestions: a failure leaves them empty. */
async function offerTargets(api, suggestions) {
    const domains = await all(api, "/domains", { limit: 200 }).catch(() => []);
    const targets = domains.filter(({ aliasOf }) => !aliasOf);
    suggestions.append(...targets.map(({ host }) => new Option(host, host)));
}
