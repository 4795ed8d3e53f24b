import { part } from "../../shared/page/template.js";

/** What the override allows: now, or at a time, when the live version may have changed. */
export const overrideNow = "Publish even if a file differs a lot";
const overrideLater = `${overrideNow}, or if another version goes live first`;

/**
 * Offers the override with its reason. `isOffered()` says whether it would have an effect; `wantsReason` asks for a
 * reason in any case, which is then optional. `words` says what it allows, if it is not publishing.
 */
export function offerOverride(form, { isOffered = () => true, wantsReason = false, words = null } = {}) {
    const { override, bypassApproval, reason } = form.elements;
    const update = () => {
        const offered = isOffered();
        part(form, "override-choice").hidden = !offered;
        if (!offered) override.checked = false;
        const usual = form.elements.when.value === "now" ? overrideNow : overrideLater;
        part(form, "override-words").textContent = words ?? usual;
        if (part(form, "bypass-choice").hidden) bypassApproval.checked = false;
        const isNeeded = override.checked || bypassApproval.checked;
        part(form, "reason-field").hidden = !isNeeded && !wantsReason;
        const isForOverride = !bypassApproval.checked && (override.checked || !wantsReason);
        part(form, "reason-label").textContent = isForOverride ? "Reason for overriding" : "Reason";
        part(form, "reason-hint").textContent = reasonHint(override.checked, bypassApproval.checked);
        part(form, "reason-optional").hidden = isNeeded || !wantsReason;
    };
    form.addEventListener("input", update);
    for (const box of [override, bypassApproval]) box.addEventListener("change", () => box.checked && reason.focus());
    update();
    return update;
}

function reasonHint(overrides, bypasses) {
    if (!bypasses) return "The reason is saved with the publication.";
    const why = `Say why the file cannot wait for the approvals${overrides ? ", and why you override" : ""}.`;
    return `${why} Everybody sees the reason in the events.`;
}

/** The message and the override of the form, as the API takes them. */
export function remarks({ message, override, bypassApproval, reason }) {
    return {
        ...(message && { message }),
        ...(override && { override: true }),
        ...(bypassApproval && { bypassApproval: true }),
        ...((override || bypassApproval) && reason && { reason }),
    };
}
