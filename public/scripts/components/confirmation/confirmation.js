import { Api } from "../../shared/api/api.js";
import { codeOf } from "../../shared/api/sign-in-address.js";
import { onSubmit } from "../../shared/forms/form.js";
import { openDialog } from "../dialogs.js";
import { atPassword, offerReveal } from "../passwords.js";

/** Asks for the password, or for a sign-in link of a user without one. Resolves to whether the user confirmed. */
export async function confirmSession() {
    const { user } = (await new Api().get("/me")).body;
    const { dialog, closed, part } = openDialog("confirmation", { command: `waymark user sign-in-link ${user.email}` });
    part("by-password").hidden = !user.hasPassword;
    part("by-link").hidden = user.hasPassword;
    part("username").value = user.email;
    offerReveal(dialog);
    (user.hasPassword ? dialog.querySelector("[name=password]") : dialog.querySelector("[name=link]")).focus();
    onSubmit(part("form"), async ({ password, link }, form) => {
        const proof = user.hasPassword ? { password: form.elements.password.value } : { code: codeOf(link ?? "") };
        try {
            await new Api().post("/session/confirmations", proof);
        } catch (problem) {
            throw atPassword(problem, "The password is wrong.");
        }
        dialog.close("yes");
    });
    return (await closed) === "yes";
}
