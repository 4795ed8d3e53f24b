import { domainAddress } from "../../shared/page/addresses.js";
import { all } from "../../shared/api/api.js";
import { offerCurl } from "../../components/curl.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit, values } from "../../shared/forms/form.js";
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
    const { dialog, closed, part } = openDialog("add-domain");
    const form = part("form");
    offerTargets(api, part("targets"));
    const request = () => ({ method: "POST", path: "/domains", body: bodyOf(values(form)), organization: organization.slug });
    closed.then(offerCurl("add this domain", request, part("as-curl")));
    onSubmit(form, async (typed) => {
        const { body } = await api.post("/domains", bodyOf(typed));
        markTyping(form, false);
        location.assign(domainAddress(organization.slug, body.host));
        dialog.close();
    });
}

function bodyOf({ host, aliasOf, labels }) {
    return {
        host: hostOf(host ?? ""),
        ...(aliasOf && { aliasOf: hostOf(aliasOf) }),
        labels: parseLabels(labels),
    };
}

/** Only suggestions: a failure leaves them empty. */
async function offerTargets(api, suggestions) {
    const domains = await all(api, "/domains", { limit: 200 }).catch(() => []);
    const targets = domains.filter(({ aliasOf }) => !aliasOf);
    suggestions.append(...targets.map(({ host }) => new Option(host, host)));
}
