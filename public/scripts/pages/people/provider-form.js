import { announce } from "../../components/announce.js";
import { confirm, mayClose } from "../../components/dialogs.js";
import { words } from "../../shared/api/problem.js";
import { clearErrors } from "../../shared/forms/field-errors.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { copies } from "../../shared/page/clipboard.js";
import { fill, part } from "../../shared/page/template.js";

/** The provider with which people sign in to the organization. Only owners see and change it. */
export class ProviderForm {
    #root;
    #form;
    #api;
    #isOpen = false;

    constructor(main, { api }) {
        this.#root = part(main, "provider");
        this.#form = part(this.#root, "form");
        this.#api = api;
        copies(part(this.#root, "copy"), () => part(this.#root, "redirect").textContent);
        part(this.#root, "set-up").addEventListener("click", () => this.#open());
        part(this.#root, "cancel").addEventListener("click", () => this.#cancel());
        onSubmit(this.#form, (fields, _, { hasTyped }) => this.#save(fields, hasTyped));
        onPress(part(this.#root, "remove"), () => this.#remove(), (problem) => fill(this.#root, { problem: words(problem) }));
    }

    async show() {
        this.#fill((await this.#api.get("/sign-in-provider")).body);
    }

    #fill(answer) {
        const { provider } = answer;
        const fields = this.#form.elements;
        fields.issuer.value = provider?.issuer ?? "";
        fields.clientId.value = provider?.clientId ?? "";
        fields.clientSecret.value = "";
        fields.domains.value = provider?.domains.join(", ") ?? "";
        fields.role.value = provider?.role ?? "viewer";
        markTyping(this.#form, false);
        this.#showState(answer);
    }

    /** What shows beside the user's input. */
    #showState({ provider, redirectURI }) {
        fill(this.#root, {
            redirect: redirectURI,
            "secret-hint": provider?.hasClientSecret ? "One is stored. Leave this empty to keep it." : "Empty for a public client.",
        });
        part(this.#root, "remove").hidden = !provider;
        part(this.#root, "cancel").hidden = Boolean(provider);
        this.#form.hidden = !provider && !this.#isOpen;
        part(this.#root, "set-up").hidden = !this.#form.hidden;
    }

    #open() {
        this.#isOpen = true;
        this.#form.hidden = false;
        part(this.#root, "set-up").hidden = true;
        this.#form.elements.issuer.focus();
    }

    async #cancel() {
        if (!(await mayClose(this.#form))) return;
        this.#isOpen = false;
        clearErrors(this.#form);
        await this.show();
        part(this.#root, "set-up").focus();
    }

    async #save({ issuer, clientId, clientSecret, domains, role }, hasTyped) {
        const list = (domains ?? "").split(/[\s,]+/).filter(Boolean);
        const settings = { issuer: issuer ?? "", clientId: clientId ?? "", clientSecret, domains: list, role };
        const { body } = await this.#api.put("/sign-in-provider", settings);
        if (hasTyped()) this.#showState(body);
        else this.#fill(body);
        announce("Sign-in provider saved.");
    }

    async #remove() {
        const isSure = await confirm({
            title: "Remove the sign-in provider?",
            detail: "The people who signed in with it are signed out. They stay members.",
            action: "Remove",
        });
        if (!isSure) return;
        await this.#api.delete("/sign-in-provider");
        announce("Sign-in provider removed.");
        this.#isOpen = false;
        await this.show();
        part(this.#root, "title").focus();
    }
}
