import { domainAddress, domainsAddress } from "../../shared/page/addresses.js";
import { all } from "../../shared/api/api.js";
import { Problem } from "../../shared/api/problem.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { hostOf } from "../../shared/forms/hosts.js";
import { parseLabels } from "../../shared/forms/labels.js";
import { count } from "../../shared/words/numbers.js";
import { markTyping } from "../../shared/forms/typed-work.js";

/** Opens the form from every "Add domain" button of the page. */
export function offerAdding(main, session) {
    for (const button of main.querySelectorAll("[data-adds-domain]")) {
        button.addEventListener("click", () => openForm(session));
    }
    if (session.can("createDomain")) openIfAsked(session);
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
    submitByEnter(form.elements.host);
    onSubmit(form, async (typed) => {
        const hosts = hostsOf(typed);
        if (hosts.length > 1) await addAll(api, hosts, typed, form.elements.host);
        else hosts[0] = (await api.post("/domains", bodyOf(hosts[0] ?? "", typed))).body.host;
        markTyping(form, false);
        const isOne = hosts.length === 1;
        location.assign(isOne ? domainAddress(organization.slug, hosts[0]) : domainsAddress(organization.slug));
        dialog.close();
    });
}

/** The hosts of the field, one per line or separated by commas: each once. */
function hostsOf({ host }) {
    const lines = (host ?? "").split(/[\n,;]+/).map((line) => line.trim()).filter(Boolean);
    return [...new Set(lines.map(hostOf))];
}

/** Enter submits, as in a field of one line. */
function submitByEnter(field) {
    field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        field.form.requestSubmit();
    });
}

/** Adds several domains. Those that could not be added stay in the field. The reasons are shown for those refused. */
async function addAll(api, hosts, typed, field) {
    const refused = [];
    for (const [index, host] of hosts.entries()) {
        try {
            await api.post("/domains", bodyOf(host, typed));
        } catch (problem) {
            refused.push({ host, reason: problem.errors?.[0]?.detail ?? problem.detail });
            if (problem instanceof Problem && !problem.isPassing && !problem.isSignedOut) continue;
            // Without an answer, the rest would fail too.
            field.value = [...refused.map((each) => each.host), ...hosts.slice(index + 1)].join("\n");
            throw problem;
        }
    }
    if (!refused.length) return;
    field.value = refused.map(({ host }) => host).join("\n");
    const reasons = refused.slice(0, 5).map(({ host, reason }) => `${host}: ${reason}`);
    const more = refused.length > 5 ? ` And ${refused.length - 5} more.` : "";
    const added = `${count(hosts.length - refused.length, "domain")} added.`;
    throw new Problem({ code: "not_all_added" }).at("/host", `${added} ${reasons.join(" ")}${more}`);
}

function bodyOf(host, { aliasOf, labels }) {
    return {
        host,
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
