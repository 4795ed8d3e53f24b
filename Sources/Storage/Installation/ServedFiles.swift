import AASA
import Postgres

extension Tenant {
    /// The hosts whose file names an app: the one that is live, or one that is to go live. Generated files write an app
    /// ID as it is, between quotation marks.
    func servedHosts(naming id: AppID) throws -> [String] {
        try database.query(
            """
            with files as (
              select host, sha256 from claims
              where organization_id = \(organization.uuid) and sha256 is not null
              union
              select publications.host, versions.sha256
              from publications
              join versions on versions.organization_id = publications.organization_id
                and versions.host = publications.host and versions.number = publications.version
              where publications.organization_id = \(organization.uuid)
                and publications.state in ('scheduled', 'running')
            ),
            naming as (
              select sha256 from blobs
              where organization_id = \(organization.uuid)
                and sha256 in (select sha256 from files)
                and position(\(Array("\"\(id)\"".utf8)) in bytes) > 0
            )
            select distinct host from files
            where sha256 in (select sha256 from naming)
            order by host
            limit 100
            """
        ).map { try $0.decode("host", as: String.self) }
    }
}
