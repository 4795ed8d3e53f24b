import { Api } from "../../shared/api/api.js";
import { forgetMembership } from "../../shared/api/membership.js";
import { MailedLink } from "../../components/mailed-link.js";
import { SecondFactorForm } from "../../components/second-factor.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { part } from "../../shared/page/template.js";

const main = document.getElementById("main");
const link = new MailedLink(main, { mails: "/password-reset-mails", use: "choose", more: ["second-factor"] });
const secondFactor = new SecondFactorForm(part(main, "second-factor"), () => link.show("second-factor"));

link.onUse((_, form) => {
    const password = form.elements.password.value;
    return secondFactor.start((more) =>
        link.send(async () => {
            await new Api().post("/password-resets", { code: link.code, password, ...more });
            markTyping(form, false);
            forgetMembership();
            location.replace("/");
        }),
    );
});
