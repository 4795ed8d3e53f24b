import { announce } from "../../components/announce.js";
import { showUser } from "../../components/masthead/account-menu.js";
import { onSubmit } from "../../shared/forms/form.js";
import { part } from "../../shared/page/template.js";

/** The user's name, which can be changed, and their address. */
export function showProfile(main, session) {
    const form = part(main, "profile");
    form.elements.name.value = session.me.user.name;
    part(form, "email").value = session.me.user.email;
    onSubmit(form, async ({ name }) => {
        const { body: me } = await session.api.patch("/me", { name: name ?? "" });
        showUser(document.querySelector(".masthead"), { ...session, me });
        announce("Name saved.");
    });
}
