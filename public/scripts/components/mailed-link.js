import { Api } from "../shared/api/api.js";
import { onSubmit } from "../shared/forms/form.js";
import { markTyping } from "../shared/forms/typed-work.js";
import { fill, part } from "../shared/page/template.js";
import { offerReveal } from "./passwords.js";

/**
 * A page that sends a link by mail to itself. Without the link's code, it asks for an address (part "ask") and sends the
 * mail (part "asked"); with the code, it shows the form for which the link is (part `use`). Opening the link changes
 * nothing: programs that check mails open links, too.
 */
export class MailedLink {
    #main;
    #use;
    #steps;

    /** The code is after the `#`, which browsers do not send. It stays there until it is used. */
    code = location.hash.slice(1);

    /** `mails` is the path of the API that sends the mail, and `more` names further parts of which one is shown. */
    constructor(main, { mails, use, more = [] }) {
        this.#main = main;
        this.#use = use;
        this.#steps = ["ask", "asked", use, ...more];
        offerReveal(main);
        onSubmit(part(main, "ask"), ({ email }, form) => this.#ask(mails, email ?? "", form));
        window.addEventListener("hashchange", () => location.reload());
        this.show(this.code ? use : "ask");
    }

    /** Submits the form for which the link is. */
    onUse(action) {
        onSubmit(part(this.#main, this.#use), action);
    }

    show(step) {
        for (const each of this.#steps) part(this.#main, each).hidden = each !== step;
    }

    /** Sends the code by `request`. If the code has ended, asks for an address again. */
    async send(request) {
        try {
            await request();
        } catch (problem) {
            if (problem.code !== "invalid_code") throw problem;
            fill(this.#main, { "link-problem": "This link has been used already or has expired. Get a new one." });
            this.show("ask");
        }
    }

    async #ask(mails, email, form) {
        await new Api().post(mails, { email });
        markTyping(form, false);
        fill(this.#main, { title: "Look at your mail", address: email });
        this.show("asked");
        part(this.#main, "title").focus();
    }
}
