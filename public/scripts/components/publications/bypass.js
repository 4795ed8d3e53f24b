/**
 * "Published without approval: the app is down", or null for a publication that had its approvals or needed none. A
 * release sets `bypassApproval` for all of its publications, so the report decides.
 */
export function bypassWords({ bypassApproval, report, reason, state }) {
    const check = report?.checks?.find(({ name }) => name === "approval");
    const isBypassed = bypassApproval && (!report?.checks || check?.outcome === "overridden");
    if (!isBypassed) return null;
    const act = state === "live" ? "Published without approval" : "Without approval";
    return reason ? `${act}: ${reason}` : act;
}
