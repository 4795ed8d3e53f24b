import { all } from "../../shared/api/api.js";
import { labelsOf } from "../../shared/api/domain-labels.js";

/** The roles that can approve. */
const approving = ["publisher", "admin", "owner"];

/**
 * Why recorded approvals of a request do not count now: `reason(file, approver)` returns a clause, or null for one that
 * counts. Without a file, for an approval that is not recorded for any. The approvals of a published request are history.
 */
export async function voidedApprovals(api, { state, files }) {
    if (state === "published") return () => null;
    if (["rejected", "cancelled"].includes(state)) return () => `the request was ${state}`;
    const approvers = new Set(files.flatMap(({ approvedBy }) => approvedBy));
    const members = approvers.size ? await membersAmong(api, approvers) : new Map();
    const isLimited = [...members.values()].some(({ labels }) => labels.length);
    const labels = isLimited ? await labelsOf(api, files.map(({ host }) => host)) : new Map();
    return (file, approver) => {
        if (!file) return "the person has left the organization";
        const { host, outdated, live, editors } = file;
        if (outdated && !live) return "the draft has changed since";
        const hasEdited = editors.some(({ kind, name }) => kind === "user" && name === approver);
        if (hasEdited) return "the person has edited the file since";
        const member = members.get(approver);
        if (!member) return "the person is no longer a member";
        if (!approving.includes(member.role)) return `the person now has the role ${member.role}`;
        const reaches = !member.labels.length || member.labels.some((label) => labels.get(host)?.includes(label));
        return reaches ? null : "the person’s role no longer counts for this domain";
    };
}

async function membersAmong(api, addresses) {
    const members = await all(api, "/members", { limit: Infinity });
    return new Map(members.filter(({ email }) => addresses.has(email)).map((member) => [member.email, member]));
}
