/**
 * Takes the rights of a limited role away from a page about other domains, or about no domain: its user can only read.
 * Returns a sentence that says so, or null if the role counts for this page.
 */
export function limitRights({ organization }, labels = []) {
    const limit = organization?.labels ?? [];
    if (!limit.length || limit.some((label) => labels.includes(label))) return null;
    organization.role = "viewer";
    document.body.dataset.can = "viewer";
    return `You can only read this. Your role counts for domains with the label ${limit.join(" or ")}.`;
}
