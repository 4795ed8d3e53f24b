import { Api } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { forgetMembership } from "../../shared/api/membership.js";
import { onPress } from "../../shared/forms/press.js";
import { fill, part } from "../../shared/page/template.js";
import { chooseTheme, chosenTheme, onTheme } from "../../shared/page/theme.js";
import { announce } from "../announce.js";
import { showKeys } from "../keys/keys.js";

/** The menu at the end of the masthead: the user, the theme, the keys, and signing out. It works without a session. */
export function offerAccountMenu(masthead) {
    const menu = part(masthead, "account-menu");
    const themes = part(menu, "themes");
    const check = (theme) => (themes.querySelector(`[value="${theme}"]`).checked = true);
    check(chosenTheme());
    onTheme(check);
    themes.addEventListener("change", ({ target }) => chooseTheme(target.value));
    part(menu, "show-keys").addEventListener("click", () => {
        menu.hidePopover();
        showKeys();
    });
    onPress(part(menu, "sign-out"), signOut, (problem) => announce(words(problem)));
}

/** Shows who is signed in, and their role in this page's organization. */
export function showUser(masthead, { me, organization }) {
    const limit = organization?.labels.length ? ` (${organization.labels.join(", ")})` : "";
    const role = organization ? `${organization.role}${limit} of ${organization.name}` : null;
    fill(masthead, { user: me.user?.name || me.user?.email, role });
    part(masthead, "person").hidden = false;
}

/** Signs out, and forgets everything that was typed in this tab. */
export async function signOut() {
    await new Api().delete("/session");
    forgetMembership();
    sessionStorage.clear();
    location.assign("/sign-in?signed-out");
}
