public import AASA
import Postgres

extension TenantTransaction {
    /// Whether publishing the live file of a domain again would change nothing: every host with the domain's file
    /// serves this version, and no pending publication would be suspended. The caller must hold the domain's lock.
    public func isUpToDate(_ host: Host, on live: Domain.Live) throws -> Bool {
        try database.only(
            """
            select not exists (
              select from claims
              where organization_id = \(organization.uuid) and domain = \(host.description) and not left_out
                and sha256 is distinct from \(live.sha256)
            ) and not exists (
              select from publications
              where organization_id = \(organization.uuid) and host = \(host.description)
                and state in ('scheduled', 'running')
            ) and not exists (
              select from release_domains
              join releases on releases.organization_id = release_domains.organization_id
                and releases.id = release_domains.release_id and releases.state in ('judging', 'scheduled', 'running')
              where release_domains.organization_id = \(organization.uuid)
                and release_domains.host = \(host.description)
            ) as is_up_to_date
            """
        ).decode("is_up_to_date", as: Bool.self)
    }
}
