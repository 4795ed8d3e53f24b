public import AASA
public import FoundationEssentials
import Hex
import Postgres
public import StrictJSON

/// An immutable, numbered version of a domain's file.
public struct Version: Hashable, Sendable {
    /// The number within its domain: 1, 2, 3, …
    public let number: Int
    /// The file's SHA-256, 32 bytes.
    public let sha256: [UInt8]
    /// The file's size in bytes.
    public let size: Int
    /// The revision of the saved draft.
    public let draftRevision: Int
    /// The author's message. It may be empty.
    public let message: String
    /// The author.
    public let author: Author
    /// The gate's report.
    public let report: JSONValue
    /// The results of the domain's tests when the version was saved. `nil` in lists, and for versions from before tests
    /// existed.
    public let testResults: JSONValue?
    /// The time when it was saved.
    public let createdAt: Date
    /// Whether it is the domain's live version.
    public let isLive: Bool

    init(row: Row) throws {
        number = try row.decode("number", as: Int.self)
        sha256 = try row.decode("sha256", as: [UInt8].self)
        size = try row.decode("size", as: Int.self)
        draftRevision = try row.decode("draft_revision", as: Int.self)
        message = try row.decode("message", as: String.self)
        author = try row.author(kind: "author_kind", name: "author_name")
        report = try row.json("report")
        testResults = try row.optionalJSON("test_results")
        createdAt = try row.decode("created_at", as: Date.self)
        isLive = try row.decode("is_live", as: Bool.self)
    }
}

extension TenantTransaction {
    /// A domain's versions, newest first. The page's key is a version number.
    public func versions(_ host: Host, _ page: Page) throws -> Listing<Version> {
        try requireDomain(host)
        return try list(page, key: { String($0.number) }, reading: { try $0.map(Version.init(row:)) }) { page in
            """
            \(fragment: selectingVersions(host, withTestResults: false))
              and versions.number < \(try page.key { Int($0) } ?? Int.max)
            order by versions.number desc
            limit \(page.rowsToRead)
            """
        }
    }

    /// The version with this number. Throws `notFound` if it does not exist.
    public func version(_ number: Int, of host: Host) throws -> Version {
        let row = try database.first(
            "\(fragment: selectingVersions(host, withTestResults: true)) and versions.number = \(number)")
        guard let row else { throw StorageError.notFound(kind: "version", key: "\(number) of \(host)") }
        return try Version(row: row)
    }

    /// A version's exact bytes. Throws `notFound`.
    public func file(ofVersion number: Int, of host: Host) throws -> [UInt8] {
        let row = try database.first(
            """
            select blobs.bytes
            from versions
            join blobs on blobs.organization_id = versions.organization_id and blobs.sha256 = versions.sha256
            where versions.organization_id = \(organization.uuid)
              and versions.host = \(host.description) and versions.number = \(number)
            """)
        guard let row else { throw StorageError.notFound(kind: "version", key: "\(number) of \(host)") }
        return try row.decode("bytes", as: [UInt8].self)
    }

    /// The file with this SHA-256, or `nil` if the organization does not have it.
    public func blob(_ sha256: [UInt8]) throws -> [UInt8]? {
        try database.first(
            "select bytes from blobs where organization_id = \(organization.uuid) and sha256 = \(sha256)"
        )?.decode("bytes", as: [UInt8].self)
    }

    /// The files with these SHA-256 values. Files that the organization does not have are left out.
    public func blobs(_ sha256s: [[UInt8]]) throws -> [(sha256: [UInt8], bytes: [UInt8])] {
        try database.query(
            """
            select sha256, bytes from blobs
            where organization_id = \(organization.uuid) and sha256 = any(\(sha256s)::bytea[])
            """
        ).map { (try $0.decode("sha256", as: [UInt8].self), try $0.decode("bytes", as: [UInt8].self)) }
    }

    /// Whether a version has ever been live.
    public func hasBeenLive(version number: Int, of host: Host) throws -> Bool {
        try database.first(
            """
            select 1 as one from publications
            where organization_id = \(organization.uuid) and host = \(host.description) and version = \(number)
              and state = 'live'
            limit 1
            """) != nil
    }

    /// Saves a file with the domain's next version number. Locks the domain's row until the transaction ends, so that
    /// numbers have no gaps and no duplicates.
    ///
    /// - Parameter isRestored: True if the author brought the file, which is not the draft's. Then the author is its
    ///   editor.
    public func freeze(
        _ file: [UInt8], of host: Host, draftRevision: Int, message: String, report: JSONValue,
        testResults: JSONValue = [], isRestored: Bool = false
    ) throws -> Version {
        let sha256 = digest(file)
        try database.execute(
            """
            insert into blobs (organization_id, sha256, bytes)
            values (\(organization.uuid), \(sha256), \(file))
            on conflict do nothing
            """)
        let numbered = try database.first(
            """
            update domains set last_version = last_version + 1
            where organization_id = \(organization.uuid) and host = \(host.description)
            returning last_version
            """)
        guard let numbered else { throw StorageError.notFound(kind: "domain", key: host.description) }
        let number = try numbered.decode("last_version", as: Int.self)
        let editors: SQL =
            isRestored
            ? "array[\(author.record)::text]"
            : "array(\(fragment: draftEditors(of: "\(host.description)", at: "\(draftRevision)")) order by editor)"
        try database.execute(
            """
            insert into versions (
              organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report,
              test_results, editors)
            values (
              \(organization.uuid), \(host.description), \(number), \(sha256), \(file.count), \(draftRevision),
              \(message), \(author.kind.rawValue), \(author.name), \(report.text)::json,
              \(testResults.text)::json, \(fragment: editors))
            """)
        try audit(
            .versionCreated, host,
            [
                "version": .int(number), "sha256": .string(Hexadecimal.encode(sha256)),
                "draftRevision": .int(draftRevision), "message": .string(message),
            ])
        return try version(number, of: host)
    }

    /// Whether the organization has a domain with this host.
    public func hasDomain(_ host: Host) throws -> Bool {
        try database.first(
            "select 1 as one from domains where organization_id = \(organization.uuid) and host = \(host.description)")
            != nil
    }

    func requireDomain(_ host: Host) throws {
        guard try hasDomain(host) else { throw StorageError.notFound(kind: "domain", key: host.description) }
    }

    /// The statement that selects a domain's versions. Lists leave out the test results, because a domain can have many
    /// tests.
    private func selectingVersions(_ host: Host, withTestResults: Bool) -> SQL {
        let testResults: SQL = withTestResults ? "versions.test_results" : "null::json"
        return """
            select versions.number, versions.sha256, versions.size, versions.draft_revision, versions.message,
              versions.author_kind, versions.author_name, versions.report, versions.created_at,
              \(fragment: testResults) as test_results, coalesce(claims.version = versions.number, false) as is_live
            from versions
            left join claims on claims.organization_id = versions.organization_id and claims.host = versions.host
              and claims.domain = versions.host
            where versions.organization_id = \(organization.uuid) and versions.host = \(host.description)
            """
    }
}
