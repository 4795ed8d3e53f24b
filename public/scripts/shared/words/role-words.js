/**
 * What a person may do with each role, in addition to the roles before it. A test compares these sentences, and those
 * for tokens, with docs/roles.md.
 */
export const memberRights = {
    viewer: "Reads domains, drafts, versions and events, and evaluates URLs.",
    editor: "Also edits drafts, tests, domains, teams and apps, and asks for approvals.",
    publisher: "Also publishes, rolls back, schedules, freezes and approves.",
    admin: "Also withdraws domains, invites people, manages members, tokens and trusts in CI systems, and reads the audit trail.",
    owner: "Also manages other owners, approval policies, the sign-in provider, and the settings, the export and the deletion of the organization.",
};

/** What a token may do. Much of what changes people and access can only be done in person. */
export const tokenRights = {
    ...memberRights,
    publisher: "Also publishes, rolls back, schedules and freezes.",
    admin: "Also withdraws domains, and reads invitations, tokens, trusts in CI systems and the audit trail.",
    owner: "Also reads the sign-in provider, exports the organization, and restores exports.",
};

/** Everything that a person may do with a role, in sentences. */
export function allRights(role) {
    const roles = Object.keys(memberRights);
    return roles.slice(0, roles.indexOf(role) + 1).map((each) => memberRights[each]).join(" ");
}

/** A role, and the labels of the domains that it is limited to. */
export function grantWords({ role, labels = [] }) {
    return labels.length ? `${role} for ${labels.join(", ")}` : role;
}
