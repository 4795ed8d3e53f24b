import { keepMembership } from "../../shared/api/membership.js";
import { addressWithOrganization } from "../../shared/page/addresses.js";
import { part } from "../../shared/page/template.js";
import { offerAccountMenu, showUser } from "./account-menu.js";
import { offerPalette } from "../palette/opener.js";

/** The pages that belong to another one in the navigation, by the first part of their address. */
const sections = { domain: "index", publish: "index", app: "apps" };

/** The bar at the top: the navigation, the finder, the organization and the user. `session` is null for a visitor. */
export function showMasthead(session) {
    const masthead = document.querySelector(".masthead");
    const organization = session?.organization;
    if (session) {
        keepMembership(organization);
        showUser(masthead, session);
        showOrganizations(masthead, session.me.organizations, organization);
    }
    for (const link of masthead.querySelectorAll("a[data-in-organization]")) {
        link.href = addressWithOrganization(link.getAttribute("href"), organization?.slug);
    }
    showSection(masthead);
    offerAccountMenu(masthead);
    offerPalette(part(masthead, "find"), session);
    part(masthead, "tools").classList.add("is-ready");
}

function showSection(masthead) {
    const section = sections[location.pathname.split("/")[1]];
    masthead.querySelector(`nav [data-page="${section}"]`)?.setAttribute("aria-current", "true");
}

function showOrganizations(masthead, organizations, current) {
    const select = part(masthead, "organizations");
    const options = organizations.map(({ name, slug }) => new Option(name, slug, false, slug === current?.slug));
    const isChoice = organizations.length > (current ? 1 : 0);
    if (!current) options.unshift(new Option("Choose an organization", "", true, true));
    select.replaceChildren(...options);
    select.parentElement.hidden = !isChoice;
    part(masthead, "organization").hidden = isChoice;
    part(masthead, "organization").textContent = current?.name ?? "";
    select.addEventListener("change", () => location.assign(addressWithOrganization("/", select.value)));
}
