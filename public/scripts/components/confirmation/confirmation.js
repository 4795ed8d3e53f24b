import { Api } from "../../shared/api/api.js";
import { codeOf } from "../../shared/api/sign-in-address.js";
import { clearErrors } from "../../shared/forms/field-errors.js";
import { onSubmit } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { fill } from "../../shared/page/template.js";
import { openDialog } from "../dialogs.js";
import { offerPasskey } from "../passkeys.js";
import { atPassword, offerReveal } from "../passwords.js";
import { atSecondFactor } from "../second-factor.js";

/**
 * Asks for the password, a code of the second factor, or a new sign-in with the provider, and offers what else the user
 * has. A user without any of them is asked for a sign-in link. Resolves to whether the user confirmed.
 */
export async function confirmSession() {
    const { user, organizations } = (await new Api().get("/me")).body;
    const { dialog, closed, part } = openDialog("confirmation", { command: `waymark user sign-in-link ${user.email}` });
    const ways = waysOf(user);
    let way = ways[0];
    part("username").value = user.email;
    part("again").search = new URLSearchParams({ organization: organizations[0]?.slug ?? "", again: "1" });
    offerReveal(dialog);
    const show = () => {
        for (const each of allWays) part(`by-${each}`).hidden = each !== way;
        for (const each of offered) part(`use-${each}`).hidden = each === way || !ways.includes(each);
        part(`by-${way}`).querySelector("[name], a").focus();
    };
    for (const each of offered) {
        part(`use-${each}`).addEventListener("click", () => {
            way = each;
            clearErrors(part("form"));
            show();
        });
    }
    show();
    if (user.hasPasskey) {
        const failed = (problem) => fill(part("form"), { problem: words(problem) });
        offerPasskey(part("use-passkey"), {}, (proof) => confirmBy(proof, dialog), failed);
    }
    onSubmit(part("form"), async ({ secondFactor, link }, form) => {
        const proof = {
            password: () => ({ password: form.elements.password.value }),
            code: () => ({ secondFactor: secondFactor ?? "" }),
            link: () => ({ code: codeOf(link ?? "") }),
            provider: () => null,
        }[way]();
        // The user has signed in again in the other tab, and the new session counts as confirmed.
        if (!proof) return dialog.close("yes");
        try {
            await confirmBy(proof, dialog);
        } catch (problem) {
            throw atSecondFactor(atPassword(problem, "The password is wrong."));
        }
    });
    return (await closed) === "yes";
}

const offered = ["password", "code", "provider"];
const allWays = [...offered, "link"];

/** How a user can confirm, the usual way first. */
function waysOf({ hasPassword, hasSecondFactor, byProvider }) {
    const has = { password: hasPassword, code: hasSecondFactor, provider: byProvider };
    const ways = offered.filter((each) => has[each]);
    return ways.length ? ways : ["link"];
}

async function confirmBy(proof, dialog) {
    await new Api().post("/session/confirmations", proof);
    dialog.close("yes");
}
