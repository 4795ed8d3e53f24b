/** The dashboard's own addresses: real links, so that they can be opened in a tab, kept and sent. */

export function addressWithOrganization(page, organization) {
    return organization ? `${page}?${new URLSearchParams({ organization })}` : page;
}

/** A schedule with its runs, and one of them opened where that is wanted. */
export function scheduleAddress(organization, schedule, run = null) {
    return `/schedules?${new URLSearchParams({ organization, schedule, ...(run && { run }) })}`;
}

export function domainAddress(organization, host) {
    return `/domain?${new URLSearchParams({ organization, host })}`;
}

export function releaseAddress(organization, release) {
    return `/releases?${new URLSearchParams({ organization, release })}`;
}

/** The page of releases with a new one opened, for what was chosen: a label, or hosts. */
export function newReleaseAddress(organization, { label, hosts = [] }) {
    const chosen = label ? [["label", label]] : hosts.map((host) => ["host", host]);
    return `/releases?${new URLSearchParams([["organization", organization], ["new", "1"], ...chosen])}`;
}
