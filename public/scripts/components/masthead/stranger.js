/** What a user sees at the address of an organization to which they do not belong. Few see it, so it loads later. */
export function strangerWords({ organizations, installation }) {
    return ["You do not belong to this organization", detail(organizations.length > 0, installation.organizationCreation)];
}

function detail(hasOthers, creation) {
    if (hasOthers) return "Choose another organization above, or ask an owner of this one to invite you.";
    const other = creation === "nobody" ? "" : ", or create one on the page “Your account”";
    return `You belong to no organization. Ask an owner to invite you${other}.`;
}
