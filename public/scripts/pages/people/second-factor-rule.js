import { announce } from "../../components/announce.js";
import { confirm } from "../../components/dialogs.js";
import { words } from "../../shared/api/problem.js";
import { fill, part } from "../../shared/page/template.js";

/** The rule of an organization that every member needs a second factor. Only owners see and change it. */
export class SecondFactorRule {
    #root;
    #box;
    #session;
    #members;

    constructor(main, session, members) {
        this.#root = part(main, "members");
        this.#box = part(main, "requires-second-factor");
        this.#session = session;
        this.#members = members;
        this.#box.addEventListener("change", () => this.#save(this.#box.checked));
    }

    show() {
        this.#box.checked = this.#session.organization.requiresSecondFactor;
    }

    async #save(requiresSecondFactor) {
        fill(this.#root, { problem: null });
        this.#box.disabled = true;
        try {
            if (!requiresSecondFactor || (await this.#isSure())) {
                const { body } = await this.#session.api.patch("/organization", { requiresSecondFactor });
                this.#session.organization.requiresSecondFactor = body.requiresSecondFactor;
                announce(body.requiresSecondFactor ? "Every member now needs a second factor." : "A second factor is no longer required.");
                await this.#members.show();
            }
        } catch (problem) {
            fill(this.#root, { problem: problem.code === "no_second_factor" ? ownFactorFirst : words(problem) });
        }
        this.#box.disabled = false;
        this.show();
        this.#box.focus();
    }

    #isSure() {
        const without = this.#members.withoutSecondFactor;
        return confirm({
            title: "Require a second factor?",
            detail: without.length
                ? `${without.join(", ")} can do nothing here until they have set one up.`
                : "All members have one. New members must set one up first.",
            action: "Require",
        });
    }
}

const ownFactorFirst = "You have no second factor yourself. Set one up first, on the page “Your account”.";
