import { all } from "../../shared/api/api.js";
import { labelsOf } from "../../shared/api/domain-labels.js";
import { part } from "../../shared/page/template.js";

/**
 * Whether the user may publish the files of all `domains` without the approvals: policies apply to each of them, and all
 * of these policies name the user. A policy for an alias applies to its domain.
 */
export async function mayBypass({ api, session }, domains) {
    const [policies, labels] = await Promise.all([
        all(api, "/approval-policies"),
        labelsOf(api, domains.flatMap(({ aliases }) => aliases)),
    ]);
    const { email } = session.me.user;
    return domains.length > 0 && domains.every((domain) => {
        const served = [...domain.labels, ...domain.aliases.flatMap((alias) => labels.get(alias) ?? [])];
        const applying = policies.filter(({ label }) => label === null || served.includes(label));
        return applying.length > 0 && applying.every(({ bypassers }) => bypassers.includes(email));
    });
}

/** Shows or hides the choice to publish without the approvals. A hidden one is not chosen. */
export function offerBypass(form, isOffered) {
    part(form, "bypass-choice").hidden = !isOffered;
    const box = form.elements.bypassApproval;
    if (isOffered || !box.checked) return;
    box.checked = false;
    box.dispatchEvent(new Event("input", { bubbles: true }));
}
