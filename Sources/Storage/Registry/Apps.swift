public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

/// An app of a team. Its app ID never changes.
public struct App: Hashable, Sendable {
    /// The kind of app.
    public enum Kind: String, CaseIterable, Sendable {
        /// An app.
        case app
        /// An App Clip.
        case appClip
    }

    /// The App ID Prefix and the bundle ID, as in the file.
    public let appID: AppID
    /// The app's team. Its Team ID can differ from the prefix.
    public let teamID: TeamID
    /// The organization's name for the app, at most 200 characters.
    public var name: String
    /// The kind of app.
    public var kind: Kind
    /// The app's number in the App Store, if known.
    public var appStoreID: String?
    /// The registration time.
    public let createdAt: Date
    /// The number of domains whose draft names the app. Counting stops at ``maximumDomains``.
    public let domains: Int

    /// The highest value of ``domains``. It means "this number or more".
    public static let maximumDomains = 1_000

    init(row: Row) throws {
        appID = try row.value("app_id") { try AppID($0) }
        teamID = try row.value("team_id") { try TeamID($0) }
        name = try row.decode("name", as: String.self)
        kind = try row.value("kind", Kind.init(rawValue:))
        appStoreID = try row.decode("app_store_id", as: String?.self)
        createdAt = try row.decode("created_at", as: Date.self)
        domains = try row.decode("domains", as: Int.self)
    }

    fileprivate static func detail(name: String, kind: String, appStoreID: String?) -> JSONValue {
        ["name": .string(name), "kind": .string(kind), "appStoreId": .detail(appStoreID)]
    }

    /// The columns of an app. The `order by` makes PostgreSQL read the index on `draft_apps`, even if it expects most
    /// drafts to name the app.
    static let columns: SQL = """
        apps.app_id, apps.team_id, apps.name, apps.kind, apps.app_store_id, apps.created_at, (
          select count(*) from (
            select from draft_apps
            where draft_apps.organization_id = apps.organization_id and draft_apps.app_id = apps.app_id
            order by draft_apps.host collate "C"
            limit \(maximumDomains)
          ) as naming
        ) as domains
        """
}

extension Lookup where Value == App? {
    /// The app with this ID, or `nil` if it is not registered.
    public static func app(_ id: AppID) -> Self {
        Lookup { organization in
            """
            select \(fragment: App.columns)
            from apps
            where organization_id = \(organization.uuid) and app_id = \(id.description)
            """
        } decode: { rows in
            try rows.first.map(App.init(row:))
        }
    }
}

extension TenantTransaction {
    /// The organization's apps, sorted by app ID in byte order.
    ///
    /// - Parameter search: Only apps with a word in the app ID or name that begins with this text, ignoring case
    ///   (`appCondition`). If `nil`, all apps.
    public func apps(_ page: Page, search: String? = nil) throws -> Listing<App> {
        func found(_ page: Page) throws -> [String] {
            try keys(
                of: "select app_id as key from apps where organization_id = \(organization.uuid)",
                in: KeyRange(after: page.after), matching: search.map { [appCondition(of: $0)] } ?? [],
                limit: page.rowsToRead)
        }
        var listing = try Listing(keys: found(page), of: page) { ids in
            try database.query(
                """
                select apps.* from (select unnest(\(ids)::text[]) as app_id) as page
                cross join lateral (
                  select \(fragment: App.columns) from apps
                  where apps.organization_id = \(organization.uuid) and apps.app_id = page.app_id
                  limit 1
                ) as apps
                order by apps.app_id collate "C"
                """
            ).map(App.init(row:))
        }
        if page.countsAll { listing.total = try found(.counted).count }
        return listing
    }

    /// The app with this ID, or `nil` if it is not registered.
    public func app(_ id: AppID) throws -> App? { try read(.app(id)) }

    /// The app with this ID, or `nil` if it is not registered. Locks its row until the transaction ends.
    public func lockedApp(_ id: AppID) throws -> App? {
        try database.first(
            """
            select \(fragment: App.columns)
            from apps
            where organization_id = \(organization.uuid) and app_id = \(id.description)
            for update
            """
        ).map(App.init(row:))
    }

    /// The registered apps among these app IDs.
    public func registered(among ids: [String]) throws -> Set<AppID> {
        let rows = try database.query(
            """
            select app_id from apps
            where organization_id = \(organization.uuid) and app_id = any(\(ids))
            """)
        return Set(try rows.map { try $0.value("app_id") { try AppID($0) } })
    }

    /// Registers an app. Throws `exists` if its app ID is already registered, or `teamNotRegistered` if its team is
    /// not.
    public func createApp(
        _ id: AppID, teamID: TeamID, name: String, kind: App.Kind = .app, appStoreID: String? = nil
    ) throws -> App {
        guard try lockTeam(teamID) else { throw StorageError.teamNotRegistered(teamID.description) }
        let row = try database.only(
            """
            insert into apps (organization_id, app_id, prefix, bundle_id, team_id, name, kind, app_store_id)
            values (
              \(organization.uuid), \(id.description), \(id.prefix.description), \(id.bundleID.description),
              \(teamID.description), \(name), \(kind.rawValue), \(appStoreID))
            returning \(fragment: App.columns)
            """)
        try audit(.appCreated, id.description, App.detail(name: name, kind: kind.rawValue, appStoreID: appStoreID))
        return try App(row: row)
    }

    /// Changes an app's name, kind and App Store ID.
    public func updateApp(_ app: App) throws -> App {
        let row = try database.first(
            """
            update apps set name = \(app.name), kind = \(app.kind.rawValue), app_store_id = \(app.appStoreID)
            from (
              select name, kind, app_store_id from apps
              where organization_id = \(organization.uuid) and app_id = \(app.appID.description)
              for update
            ) as old
            where apps.organization_id = \(organization.uuid) and apps.app_id = \(app.appID.description)
            returning \(fragment: App.columns), old.name as old_name, old.kind as old_kind,
              old.app_store_id as old_app_store_id
            """)
        guard let row else { throw StorageError.notFound(kind: "app", key: app.appID.description) }
        let old = try App.detail(
            name: row.decode("old_name", as: String.self), kind: row.decode("old_kind", as: String.self),
            appStoreID: row.decode("old_app_store_id", as: String?.self))
        try audit(
            .appChanged, app.appID.description,
            App.detail(name: app.name, kind: app.kind.rawValue, appStoreID: app.appStoreID).replacing(old))
        return try App(row: row)
    }

    /// Removes an app from the registry. Throws `appInUse` while drafts, live files, or files that will go live contain
    /// it.
    public func deleteApp(_ id: AppID) throws {
        let (drafts, files) = (try drafts(naming: id), try servedHosts(naming: id))
        guard drafts.total + files.total == 0 else { throw StorageError.appInUse(drafts: drafts, files: files) }
        let deleted = try database.execute(
            "delete from apps where organization_id = \(organization.uuid) and app_id = \(id.description)")
        guard deleted == 1 else { throw StorageError.notFound(kind: "app", key: id.description) }
        try audit(.appDeleted, id.description)
    }

    private func drafts(naming id: AppID) throws -> HostSample {
        try HostSample(
            database.query(
                """
                select host, count(*) over () as total from draft_apps
                where organization_id = \(organization.uuid) and app_id = \(id.description)
                order by host
                limit 100
                """))
    }

    /// The hosts whose live or pending file contains the app. Generated files contain app IDs unchanged, in quotation
    /// marks.
    private func servedHosts(naming id: AppID) throws -> HostSample {
        let rows = try database.query(
            """
            with files as (
              select domains.host, claims.sha256
              from domains
              left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
              where domains.organization_id = \(organization.uuid) and claims.sha256 is not null
              union
              select publications.host, versions.sha256
              from publications
              join versions on versions.organization_id = publications.organization_id
                and versions.host = publications.host and versions.number = publications.version
              where publications.organization_id = \(organization.uuid)
                and publications.state in ('scheduled', 'running')
              union
              select release_domains.host, release_domains.sha256
              from releases
              join release_domains on release_domains.organization_id = releases.organization_id
                and release_domains.release_id = releases.id and release_domains.sha256 is not null
              where releases.organization_id = \(organization.uuid) and not releases.dry_run
                and releases.state in ('judging', 'scheduled', 'running')
            ),
            naming as (
              select sha256 from blobs
              where organization_id = \(organization.uuid)
                and sha256 in (select sha256 from files)
                and position(\(Array("\"\(id)\"".utf8)) in bytes) > 0
            )
            select host, count(*) over () as total
            from (select distinct host from files where sha256 in (select sha256 from naming)) as named
            order by host
            limit 100
            """)
        return try HostSample(rows)
    }

    /// Prevents the deletion of a team until the transaction ends. Returns false if the team does not exist.
    private func lockTeam(_ id: TeamID) throws -> Bool {
        try database.first(
            """
            select team_id from teams
            where organization_id = \(organization.uuid) and team_id = \(id.description)
            for key share
            """) != nil
    }
}

extension HostSample {
    /// Creates a sample from rows with `host` and `total`.
    fileprivate init(_ rows: [Row]) throws {
        self.init(
            try rows.map { try $0.decode("host", as: String.self) },
            total: try rows.first?.decode("total", as: Int.self) ?? 0)
    }
}
