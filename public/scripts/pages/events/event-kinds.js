/** The choices of the filter by kind: what the address calls them, their words, and the kinds of the API. */
const groups = {
    Publishing: [
        ["publication", "Publications"],
        ["release", "Releases"],
        ["version", "Versions"],
        ["approval", "Approvals", ["approval", "policy"]],
        ["withdrawal", "Withdrawals"],
        ["sink", "Buckets"],
    ],
    Editing: [
        ["draft", "Drafts and rules", ["draft", "rule"]],
        ["test", "Tests", ["test", "tests"]],
        ["replacement", "Replacements of apps"],
    ],
    "Domains and apps": [
        ["domain", "Domains and aliases", ["domain", "alias"]],
        ["app", "Apps and teams", ["app", "team"]],
    ],
    Automation: [
        ["schedule", "Schedules and runs", ["schedule", "run"]],
        ["freeze", "Freezes"],
    ],
    Access: [["member", "Members and tokens", ["member", "invitation", "token", "trust", "provider", "organization"]]],
};

export function offerKinds(select) {
    for (const [name, choices] of Object.entries(groups)) {
        const group = document.createElement("optgroup");
        group.label = name;
        group.append(...choices.map(([value, words]) => new Option(words, value)));
        select.append(group);
    }
}

/** The kinds of the API for a choice; a kind that is no choice stays as it is. */
export function kindsOf(choice) {
    const found = Object.values(groups).flat().find(([value]) => value === choice);
    return found?.[2] ?? choice;
}
