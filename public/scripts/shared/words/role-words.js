/** What a member may do with each role, in addition to the roles before it. */
export const memberRights = {
    viewer: "Reads domains, drafts, versions and events.",
    editor: "Also edits drafts, tests, domains and apps.",
    publisher: "Also publishes, rolls back, schedules and freezes.",
    admin: "Also withdraws domains, invites people, and manages members and API tokens.",
    owner: "Also manages other owners.",
};

/** A role, and the labels of the domains that it is limited to. */
export function grantWords({ role, labels = [] }) {
    return labels.length ? `${role} for ${labels.join(", ")}` : role;
}

/** What the invited person may do with each role. */
export const yourRights = {
    viewer: "You can read domains, drafts, versions and events.",
    editor: "You can read everything, and edit drafts, tests, domains and apps.",
    publisher: "You can edit, publish, roll back, schedule and freeze.",
    admin: "You can edit and publish, withdraw domains, invite people, and manage API tokens.",
    owner: "You can do everything, and manage other owners.",
};
