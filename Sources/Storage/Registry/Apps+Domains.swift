public import AASA
import Postgres

/// A domain whose draft names an app.
public struct AppDomain: Hashable, Sendable {
    /// The host.
    public let host: Host
    /// The way in which the draft uses the app. `nil` for an alias, because it has no draft.
    public let draft: AppUse?
    /// The live version, and the way in which its file uses the app. `nil` if no version is live, or if the file does
    /// not name the app.
    public let live: Live?

    /// The live file.
    public struct Live: Hashable, Sendable {
        /// The version.
        public let version: Int
        /// The way in which the live file uses the app.
        public let use: AppUse
    }
}

extension TenantTransaction {
    /// The maximum number of domains on a page of ``domains(using:_:search:)``.
    public static let maximumAppDomains = 50
    /// The maximum number of bytes of the drafts on a page. A page with more ends early.
    private static let maximumAppDomainBytes = 2 << 20

    /// The domains whose draft names an app, sorted by host in byte order. A domain whose live file names the app, but
    /// whose draft does not, is left out, because finding it needs a search through all files.
    ///
    /// - Parameter search: Only hosts with a word that begins with this text (``HostSearch``). If `nil`, all hosts.
    public func domains(using app: AppID, _ page: Page, search: String? = nil) throws -> Listing<AppDomain> {
        let hosts = try keys(
            of: """
                select host as key from draft_apps
                where organization_id = \(organization.uuid) and app_id = \(app.description)
                """,
            in: KeyRange(after: page.after), matching: search.map { [HostSearch($0, in: organization).words] } ?? [],
            limit: min(page.limit, Self.maximumAppDomains) + 1)
        let shown = try fitting(Array(hosts.prefix(min(page.limit, Self.maximumAppDomains))))
        return try Listing(keys: hosts, of: Page(limit: max(1, shown), after: page.after)) { hosts in
            let live = try liveUses(of: app, on: hosts)
            return try hosts.map { text in
                let host = try Host(text)
                return AppDomain(host: host, draft: try draftUse(of: app, on: host), live: live[text])
            }
        }
    }

    /// The number of hosts, from the first on, whose drafts fit on one page (``maximumAppDomainBytes``).
    private func fitting(_ hosts: [String]) throws -> Int {
        let sizes = try database.query(
            """
            select drafts.bytes
            from unnest(\(hosts)::text[]) with ordinality as page (host, place)
            cross join lateral (
              select octet_length(document::text) as bytes from drafts
              where organization_id = \(organization.uuid) and host = page.host
              limit 1
            ) as drafts
            order by page.place
            """
        ).map { try $0.decode("bytes", as: Int.self) }
        var total = 0
        return sizes.prefix {
            total += $0
            return total <= Self.maximumAppDomainBytes
        }.count
    }

    private func draftUse(of app: AppID, on host: Host) throws -> AppUse? {
        do {
            return try draft(host).draft.association().use(of: app)
        } catch StorageError.isAlias {
            return nil
        }
    }

    private func liveUses(of app: AppID, on hosts: [String]) throws -> [String: AppDomain.Live] {
        try database.query(
            """
            select page.host, live.version, live.bytes
            from unnest(\(hosts)::text[]) as page (host)
            cross join lateral (
              select claims.version, blobs.bytes
              from domains
              left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
              join blobs on blobs.organization_id = domains.organization_id and blobs.sha256 = claims.sha256
              where domains.organization_id = \(organization.uuid) and domains.host = page.host
              limit 1
            ) as live
            """
        ).reduce(into: [:]) { uses, row in
            guard let file = try? Association(parsing: row.decode("bytes", as: [UInt8].self)),
                let use = file.use(of: app)
            else { return }
            uses[try row.decode("host", as: String.self)] = AppDomain.Live(
                version: try row.decode("version", as: Int.self), use: use)
        }
    }
}
