import { Api } from "../../shared/api/api.js";
import { forgetMembership } from "../../shared/api/membership.js";
import { onSubmit } from "../../shared/forms/form.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { fill, part } from "../../shared/page/template.js";
import { offerReveal } from "../../components/passwords.js";
import { SecondFactorForm } from "../../components/second-factor.js";

const main = document.getElementById("main");
const api = new Api();

/** The code is after the `#`, which browsers do not send. It stays there until the password is saved. */
const code = location.hash.slice(1);

/** Opening the link changes nothing: programs that check mails open links, too. */
function show(step) {
    for (const each of ["ask", "asked", "choose", "second-factor"]) part(main, each).hidden = each !== step;
}

async function ask({ email }, form) {
    await api.post("/password-reset-mails", { email: email ?? "" });
    markTyping(form, false);
    fill(main, { title: "Look at your mail", address: email });
    show("asked");
    part(main, "title").focus();
}

const secondFactor = new SecondFactorForm(part(main, "second-factor"), () => show("second-factor"));

function choose(_, form) {
    const password = form.elements.password.value;
    return secondFactor.start(async (more) => {
        try {
            await api.post("/password-resets", { code, password, ...more });
        } catch (problem) {
            if (problem.code !== "invalid_code") throw problem;
            fill(main, { "link-problem": "This link has been used already or has expired. Get a new one." });
            return show("ask");
        }
        markTyping(form, false);
        forgetMembership();
        location.replace("/");
    });
}

offerReveal(main);
onSubmit(part(main, "ask"), ask);
onSubmit(part(main, "choose"), choose);
window.addEventListener("hashchange", () => location.reload());
show(code ? "choose" : "ask");
