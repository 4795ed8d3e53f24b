import { part } from "../../shared/page/template.js";

/**
 * Offers the override with its reason. `isOffered()` says whether it would have an effect; `wantsReason` asks for a
 * reason in any case, which is then optional.
 */
export function offerOverride(form, { isOffered = () => true, wantsReason = false } = {}) {
    const { override, reason } = form.elements;
    const update = () => {
        const offered = isOffered();
        part(form, "override-choice").hidden = !offered;
        if (!offered) override.checked = false;
        part(form, "reason-field").hidden = !override.checked && !wantsReason;
        part(form, "reason-label").textContent = override.checked || !wantsReason ? "Reason for overriding" : "Reason";
        part(form, "reason-optional").hidden = override.checked || !wantsReason;
    };
    form.addEventListener("input", update);
    override.addEventListener("change", () => override.checked && reason.focus());
    update();
    return update;
}

/** The message and the override of the form, as the API takes them. */
export function remarks({ message, override, reason }) {
    return { ...(message && { message }), ...(override && { override: true, ...(reason && { reason }) }) };
}
