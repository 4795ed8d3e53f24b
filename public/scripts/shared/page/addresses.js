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

/** A domain's versions, with one of them shown. */
export function versionAddress(organization, host, version) {
    return `/domain/versions?${new URLSearchParams({ organization, host, version })}`;
}

export function appAddress(organization, app) {
    return `/app?${new URLSearchParams({ organization, app })}`;
}

/** The registry, with an app ID filled in. */
export function newAppAddress(organization, app) {
    return `/apps?${new URLSearchParams({ organization, app })}`;
}

/** The start page with filters: `{ problem: "any" }`. */
export function domainsAddress(organization, filters) {
    return `/?${new URLSearchParams({ organization, ...filters })}`;
}

export function approvalAddress(organization, request) {
    return `/approvals?${new URLSearchParams({ organization, request })}`;
}

export function releaseAddress(organization, release) {
    return `/releases?${new URLSearchParams({ organization, release })}`;
}

/**
 * The page "Review and publish": of a domain's draft or `version`; of a release of the domains with a `label`, of
 * several `hosts`, or of the same domains as `again`, a release; or of the roll-back of the release `rollBack`.
 */
export function publishAddress(organization, { host, version, label, hosts = [], again, rollBack } = {}) {
    const others = [["version", version], ["label", label], ["again", again], ["roll-back", rollBack]];
    const given = others.filter(([, value]) => value);
    const named = (host ? [host] : hosts).map((each) => ["host", each]);
    return `/publish?${new URLSearchParams([["organization", organization], ...named, ...given])}`;
}

/** A publication that has been created, with its progress. */
export function publicationAddress(organization, host, publication) {
    return `/publish?${new URLSearchParams({ organization, host, publication })}`;
}
