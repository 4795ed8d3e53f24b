import { Api } from "../shared/api/api.js";
import { addressWithOrganization } from "../shared/page/addresses.js";
import { announce } from "./announce.js";
import { onPress } from "../shared/forms/form.js";
import { words } from "../shared/api/problem.js";
import { part } from "../shared/page/template.js";

/** The bar at the top: the navigation, the organization and the user. */
export function showMasthead({ me, organization }) {
    const masthead = document.querySelector(".masthead");
    for (const link of masthead.querySelectorAll("a[data-in-organization]")) {
        link.href = addressWithOrganization(link.getAttribute("href"), organization?.slug);
    }
    showOrganizations(masthead, me.organizations, organization);
    part(masthead, "user").textContent = me.user?.name || me.user?.email || "";
    part(masthead, "account").classList.remove("is-waiting");
    onPress(part(masthead, "sign-out"), signOut, (problem) => announce(words(problem)));
}

function showOrganizations(masthead, organizations, current) {
    const select = part(masthead, "organizations");
    const options = organizations.map(({ name, slug }) => new Option(name, slug, false, slug === current?.slug));
    if (!current) options.unshift(new Option("Choose an organization", "", true, true));
    select.replaceChildren(...options);
    const isChoice = organizations.length > 1 || !current;
    select.parentElement.hidden = !isChoice;
    part(masthead, "organization").hidden = isChoice;
    part(masthead, "organization").textContent = current?.name ?? "";
    select.addEventListener("change", () => location.assign(addressWithOrganization("/", select.value)));
}

async function signOut() {
    await new Api().delete("/session");
    location.assign("/sign-in?signed-out");
}
