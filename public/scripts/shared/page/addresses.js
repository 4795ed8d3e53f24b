/** The addresses of the dashboard's pages, for links that can be opened in a tab, bookmarked and sent. */

export function addressWithOrganization(page, organization) {
    return organization ? `${page}?${new URLSearchParams({ organization })}` : page;
}

/** A schedule with its runs; `run` opens one of them. */
export function scheduleAddress(organization, schedule, run = null) {
    return `/schedules?${new URLSearchParams({ organization, schedule, ...(run && { run }) })}`;
}

/** A domain's page, or one of its parts: `rules`, `tests`, `versions`, `serving` or `settings`. */
export function domainAddress(organization, host, part = null) {
    return `/domain${part ? `/${part}` : ""}?${new URLSearchParams({ organization, host })}`;
}

export function releaseAddress(organization, release) {
    return `/releases?${new URLSearchParams({ organization, release })}`;
}

/** The page of releases with the form of a new release open, for a label or a list of hosts. */
export function newReleaseAddress(organization, { label, hosts = [] }) {
    const chosen = label ? [["label", label]] : hosts.map((host) => ["host", host]);
    return `/releases?${new URLSearchParams([["organization", organization], ["new", "1"], ...chosen])}`;
}

export function appAddress(organization, app) {
    return `/app?${new URLSearchParams({ organization, app })}`;
}
