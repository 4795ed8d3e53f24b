import { releaseAddress } from "../../shared/page/addresses.js";
import { all } from "../../shared/api/api.js";
import { openDialog } from "../../components/dialogs.js";
import { DomainChoice } from "../../components/domain-choice.js";
import { chosenTimes, offerTimes } from "../../components/publish-times.js";
import { onSubmit } from "../../shared/forms/form.js";
import { capitalised, coveredWords, frozenWords } from "../../shared/words/freeze-words.js";
import { part } from "../../shared/page/template.js";
import { PredecessorPreview } from "./predecessor-preview.js";

/**
 * The form of a new release: which domains, when, and whether to publish or only check. `chosen` and `message` prefill
 * it.
 */
export function openNewRelease(session, { chosen, message = "" } = {}) {
    const { api, organization } = session;
    const { part } = openDialog("new-release");
    const form = part("form");
    const choice = new DomainChoice(part("choice"), api, { chosen });
    offerTimes(form, api, { rollsBack: false });
    warnOfFreezes(form, api);
    offerOverride(form);
    form.elements.message.value = message;
    new PredecessorPreview(form, session, choice);
    // The first control was added after the dialog opened.
    form.querySelector("input:checked").focus();
    onSubmit(form, async (values, _, button) => {
        const isCheck = button.name === "check";
        const body = { ...choice.chosen, ...remarks(values), ...chosenTimes(values) };
        try {
            const answer = await api.post("/releases", body, { query: isCheck ? { dryRun: true } : {} });
            location.assign(releaseAddress(organization.slug, answer.body.id));
        } catch (problem) {
            throw choice.explained(problem);
        }
    });
}

/** Warns of active freezes once a time is chosen. Shows nothing if they cannot be loaded. */
async function warnOfFreezes(form, api) {
    const freezes = await all(api, "/freezes", { query: { state: "current" } }).catch(() => []);
    const told = part(form, "frozen");
    const each = freezes.map((freeze) => `${capitalised(coveredWords(freeze))}: ${frozenWords(freeze)}`).join(" ");
    told.textContent = `${each} A release of these domains that is due before then is suspended.`;
    const update = () => (told.hidden = freezes.length === 0 || form.elements.when.value === "now");
    form.addEventListener("input", update);
    update();
}

/** Asks for a reason when "Override" is chosen. */
export function offerOverride(form) {
    const { override } = form.elements;
    override.addEventListener("change", () => {
        part(form, "reason-field").hidden = !override.checked;
        if (override.checked) form.elements.reason.focus();
    });
}

/** The message and the override of the form, as the API takes them. */
export function remarks({ message, override, reason }) {
    return { ...(message && { message }), ...(override && { override: true, ...(reason && { reason }) }) };
}
