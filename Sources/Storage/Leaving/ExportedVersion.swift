public import AASA
import Postgres

/// A version of any domain, with its file.
public struct ExportedVersion: Sendable {
    /// The domain.
    public let host: Host
    /// The version, without its test results.
    public let version: Version
    /// The exact bytes of its file.
    public let file: [UInt8]
}

extension TenantTransaction {
    /// A page of the versions of all domains, sorted by host and number. The page's key is the host and the number of the
    /// last version on the previous page, with a space between them.
    public func exportedVersions(_ page: Page) throws -> Listing<ExportedVersion> {
        let last = try page.key { key -> (host: String, number: Int)? in
            let parts = key.split(separator: " ")
            guard parts.count == 2, let number = Int32(parts[1]) else { return nil }
            return (String(parts[0]), Int(number))
        }
        let rows = try database.query(
            """
            select versions.host, versions.number, versions.sha256, versions.size, versions.draft_revision,
              versions.message, versions.author_kind, versions.author_name, versions.report, versions.created_at,
              null::json as test_results, coalesce(claims.version = versions.number, false) as is_live, blobs.bytes
            from versions
            join blobs on blobs.organization_id = versions.organization_id and blobs.sha256 = versions.sha256
            left join claims on claims.organization_id = versions.organization_id and claims.host = versions.host
              and claims.domain = versions.host
            where versions.organization_id = \(organization.uuid)
              and (versions.host, versions.number) > (\(last?.host ?? ""), \(last?.number ?? 0))
            order by versions.host, versions.number
            limit \(page.limit + 1)
            """)
        let found = try rows.map {
            ExportedVersion(
                host: try $0.host("host"), version: try Version(row: $0), file: try $0.decode("bytes", as: [UInt8].self)
            )
        }
        return Listing(reading: found, of: page) { "\($0.host) \($0.version.number)" }
    }

    /// The number of a domain's last version, or 0 if it has none. Throws `notFound`.
    public func lastVersion(of host: Host) throws -> Int {
        let row = try database.first(
            """
            select last_version from domains
            where organization_id = \(organization.uuid) and host = \(host.description)
            for update
            """)
        guard let row else { throw StorageError.notFound(kind: "domain", key: host.description) }
        return try row.decode("last_version", as: Int.self)
    }
}
