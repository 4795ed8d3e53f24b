import { releaseAddress } from "../addresses.js";
import { openDialog } from "../dialogs.js";
import { DomainChoice } from "../domain-choice.js";
import { chosenTimes, offerTimes } from "../domain/publish-times.js";
import { onSubmit } from "../form.js";
import { Problem } from "../problem.js";
import { part } from "../template.js";

/**
 * The form of a new release: which domains, when, and whether to publish or only to check. `chosen` and `message` stand
 * in it already.
 */
export function openNewRelease({ api, organization }, { chosen, message = "" } = {}) {
    const { part } = openDialog("new-release");
    const form = part("form");
    const choice = new DomainChoice(part("choice"), api, { chosen });
    offerTimes(form, api, { takesBack: false });
    offerOverride(form);
    form.elements.message.value = message;
    onSubmit(form, async (values, _, button) => {
        const isCheck = button.name === "check";
        const times = isCheck ? {} : await dueTimes(api, values);
        const body = { ...choice.chosen, ...remarks(values), ...times };
        try {
            const answer = await api.post("/releases", body, { query: isCheck ? { dryRun: true } : {} });
            location.assign(releaseAddress(organization.slug, answer.body.id));
        } catch (problem) {
            throw choice.explained(problem);
        }
    });
}

/** A reason is asked for where the gate is overridden. */
export function offerOverride(form) {
    const { override } = form.elements;
    override.addEventListener("change", () => {
        part(form, "reason-field").hidden = !override.checked;
        if (override.checked) form.elements.reason.focus();
    });
}

/** What the form says of a release, as the API takes it. */
export function remarks({ message, override, reason }) {
    return { ...(message && { message }), ...(override && { override: true, ...(reason && { reason }) }) };
}

/** The chosen times as a release takes them: for devices to know by a time it is due when they need it to be. */
export async function dueTimes(api, values) {
    const { effectiveBy, ...times } = chosenTimes(values);
    if (!effectiveBy) return times;
    const { body } = await api.get("/effective-by", { query: { time: effectiveBy } });
    if (body.possible) return { ...times, at: body.at };
    const detail = "That cannot be met any more. Name a later time, or publish at once.";
    throw new Problem({ code: "invalid", errors: [{ pointer: "/effectiveBy", detail }] });
}
