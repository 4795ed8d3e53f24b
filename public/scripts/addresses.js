/** The dashboard's own addresses: real links, so that they can be opened in a tab, kept and sent. */

export function addressWithOrganization(page, organization) {
    return organization ? `${page}?${new URLSearchParams({ organization })}` : page;
}

export function domainAddress(organization, host) {
    return `/domain?${new URLSearchParams({ organization, host })}`;
}
