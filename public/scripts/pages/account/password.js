import { announce } from "../../components/announce.js";
import { offerReveal } from "../../components/passwords.js";
import { onSubmit } from "../../shared/forms/form.js";
import { fill, part } from "../../shared/page/template.js";

/** The form that sets the password, or changes it. */
export function showPassword(main, { me, api }, sessions) {
    const form = part(main, "password-form");
    part(form, "username").value = me.user.email;
    offerReveal(form);
    showState(main, me.user.hasPassword);
    onSubmit(form, async (_, __, { hasTyped }) => {
        await api.put("/me/password", { password: form.elements.password.value });
        if (!hasTyped()) form.reset();
        showState(main, true);
        announce("Password saved. All your other sessions have ended.");
        await sessions.refresh();
    });
}

function showState(main, hasPassword) {
    fill(main, {
        "password-hint": hasPassword
            ? "A new password ends all your other sessions."
            : "With a password, you can sign in without a link.",
        "save-password": hasPassword ? "Change password" : "Set password",
    });
    part(main, "no-password").hidden = hasPassword;
}
