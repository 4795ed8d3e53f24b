import { announce } from "../../components/announce.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { all, at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { onSubmit } from "../../shared/forms/form.js";
import { onPress } from "../../shared/forms/press.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { count, list } from "../../shared/words/numbers.js";

/** Lists the approval policies, and lets owners change them. */
export async function showPolicies(root, { api }) {
    const show = async () => {
        const policies = await all(api, "/approval-policies");
        part(root, "list").replaceChildren(...policies.map(row));
        part(root, "empty").hidden = policies.length > 0;
        fill(root, { problem: null });
    };

    const row = (policy) => {
        const { approvals, bypassers } = policy;
        const scope = scopeOf(policy);
        const made = clone("policy", {
            scope,
            approvals: count(approvals, "approval"),
            bypassers: bypassers.length ? `In an emergency without approvals: ${list(bypassers)}` : null,
        });
        label(made, "edit", `Edit the policy for ${scope}…`).addEventListener("click", () => edit(policy));
        label(made, "delete", `Delete the policy for ${scope}…`);
        onPress(part(made, "delete"), () => remove(policy, scope), (problem) => fill(root, { problem: words(problem) }));
        return made;
    };

    const edit = (policy) => {
        const title = policy ? `Approval for ${scopeOf(policy)}` : "Require approval";
        const { dialog, part: each } = openDialog("policy-form", { title });
        const form = each("form");
        each("label-field").hidden = Boolean(policy);
        if (policy) {
            form.elements.approvals.value = policy.approvals;
            form.elements.bypassers.value = policy.bypassers.join(", ");
        }
        onSubmit(form, async (values) => {
            const bypassers = values.bypassers?.split(/[\s,;]+/).filter(Boolean) ?? [];
            const terms = { approvals: Number(values.approvals), bypassers };
            if (policy) await api.patch(at`/approval-policies/${policy.id}`, terms);
            else await api.post("/approval-policies", { ...(values.label && { label: values.label }), ...terms });
            dialog.close();
            announce("Saved.");
            await show();
        });
    };

    const remove = async ({ id }, scope) => {
        const isSure = await confirm({
            title: `Delete the policy for ${scope}?`,
            detail: "Files can then go live without its approvals.",
            action: "Delete policy",
        });
        if (!isSure) return;
        await api.delete(at`/approval-policies/${id}`);
        announce("Policy deleted.");
        await show();
        part(root, "title").focus();
    };

    part(root, "create").addEventListener("click", () => edit(null));
    await show();
}

function scopeOf({ label: name }) {
    return name ? `domains with the label ${name}` : "all domains";
}
