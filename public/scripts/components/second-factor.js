import { Problem, words } from "../shared/api/problem.js";
import { onSubmit } from "../shared/forms/form.js";
import { fill, part } from "../shared/page/template.js";
import { offerPasskey } from "./passkeys.js";

/**
 * The form that asks for a code if the account has a second factor. `sign` sends what the user has shown so far, with
 * more fields of the request; `show` hides the other forms of the page.
 */
export class SecondFactorForm {
    #form;
    #show;
    #sign = null;

    constructor(form, show) {
        this.#form = form;
        this.#show = show;
        onSubmit(form, ({ secondFactor }) => this.#finish(secondFactor ?? ""));
        const failed = (problem) => fill(form, { problem: words(problem) });
        offerPasskey(part(form, "use-passkey"), {}, (more) => this.#sign(more), failed);
    }

    /** Signs in, or asks for a code first. */
    async start(sign) {
        try {
            await sign({});
        } catch (problem) {
            if (!(problem instanceof Problem) || !problem.is("second_factor_required")) throw problem;
            this.#sign = sign;
            this.#show();
            this.#form.hidden = false;
            this.#form.elements.secondFactor.focus();
        }
    }

    async #finish(secondFactor) {
        try {
            await this.#sign({ secondFactor });
        } catch (problem) {
            throw atSecondFactor(problem);
        }
    }
}

/** Shows a refused code at its field. */
export function atSecondFactor(problem) {
    if (!(problem instanceof Problem)) return problem;
    if (problem.is("invalid_second_factor"))
        return problem.at("/secondFactor", "The code is wrong, too old or already used. Enter the newest one.");
    return problem.is("too_many_sign_ins") ? problem.at("/secondFactor") : problem;
}
