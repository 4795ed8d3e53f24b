import { Api } from "../../shared/api/api.js";
import { forgetMembership } from "../../shared/api/membership.js";
import { MailedLink } from "../../components/mailed-link.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { part } from "../../shared/page/template.js";

const main = document.getElementById("main");
const link = new MailedLink(main, { mails: "/sign-up-mails", use: "create" });

link.onUse(({ name }, form) =>
    link.send(async () => {
        const password = form.elements.password.value;
        await new Api().post("/sign-ups", { code: link.code, name: name ?? "", password });
        markTyping(part(main, "create"), false);
        forgetMembership();
        // A new account belongs to no organization yet.
        location.replace("/account#organizations");
    }),
);
