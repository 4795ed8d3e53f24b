public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// What has to be known of a release's domain to judge it.
public struct ReleaseCandidate: Sendable {
    /// The domain.
    public let host: Host
    /// It has become an alias since it was chosen.
    public let isAlias: Bool
    /// The draft; what is judged unless a version is given.
    public let draft: StoredDraft
    /// The version that is published again, and its bytes.
    public let older: (version: Int, file: [UInt8])?
    /// The domain's tests, in order.
    public let tests: [SavedTest]
    /// The organization holds the claim for the host.
    public let isVerified: Bool
    /// When the host is going to be withdrawn.
    public let withdrawnAt: Date?
    /// What is live; `nil` when nothing is.
    public let live: [UInt8]?
    /// Its activation.
    public let liveActivation: Int64?
}

/// What was found out about a domain of a release.
public struct ReleaseVerdict: Sendable {
    /// The domain.
    public let host: Host
    /// `passed`, `refused` or `unchanged`.
    public let state: ReleaseDomain.State
    /// The draft's revision; `nil` where a version is published again.
    public let draftRevision: Int?
    /// The bytes that were judged.
    public let file: [UInt8]
    /// What the gate reported; `nil` where it was not asked.
    public let report: JSONValue?
    /// What came of the tests.
    public let testResults: JSONValue
    /// What failed: `{check, detail}` each.
    public let failures: [JSONValue]
    /// The activation that was live.
    public let madeAgainst: Int64?

    /// A verdict.
    public init(
        host: Host, state: ReleaseDomain.State, draftRevision: Int?, file: [UInt8], report: JSONValue?,
        testResults: JSONValue, failures: [JSONValue], madeAgainst: Int64?
    ) {
        self.host = host
        self.state = state
        self.draftRevision = draftRevision
        self.file = file
        self.report = report
        self.testResults = testResults
        self.failures = failures
        self.madeAgainst = madeAgainst
    }
}

extension Tenant {
    /// The next domains of a release that wait to be judged, by host, with all that is known of each at this moment.
    public func candidates(of id: ID<Release>, limit: Int) throws -> [ReleaseCandidate] {
        let rows = try database.query(
            """
            select release_domains.host, release_domains.version, domains.alias_of is not null as is_alias,
              drafts.revision, drafts.document, drafts.updated_at, claims.host is not null as is_verified,
              case when claims.version is not null then claims.activation end as live_activation,
              live.bytes as live, older.bytes as older,
              (
                select min(withdrawals.due_at) from withdrawals
                where withdrawals.organization_id = release_domains.organization_id
                  and withdrawals.host = release_domains.host and withdrawals.state = 'pending'
              ) as withdrawn_at
            from release_domains
            join domains
              on domains.organization_id = release_domains.organization_id and domains.host = release_domains.host
            join drafts
              on drafts.organization_id = release_domains.organization_id and drafts.host = release_domains.host
            left join claims on claims.organization_id = release_domains.organization_id
              and claims.host = release_domains.host
            left join blobs as live
              on live.organization_id = release_domains.organization_id and live.sha256 = claims.sha256
            left join versions
              on versions.organization_id = release_domains.organization_id and versions.host = release_domains.host
                and versions.number = release_domains.version
            left join blobs as older
              on older.organization_id = release_domains.organization_id and older.sha256 = versions.sha256
            where release_domains.organization_id = \(organization.uuid) and release_domains.release_id = \(id.uuid)
              and release_domains.state = 'waiting'
            order by release_domains.host
            limit \(limit)
            """)
        let tests = try tests(ofHosts: rows.map { try $0.decode("host", as: String.self) })
        return try rows.map { row in
            let host = try row.host("host")
            let version = try row.decode("version", as: Int?.self)
            let older = try row.decode("older", as: [UInt8]?.self)
            return ReleaseCandidate(
                host: host, isAlias: try row.decode("is_alias", as: Bool.self), draft: try StoredDraft(row: row),
                older: version.flatMap { version in older.map { (version, $0) } }, tests: tests[host] ?? [],
                isVerified: try row.decode("is_verified", as: Bool.self),
                withdrawnAt: try row.decode("withdrawn_at", as: Date?.self),
                live: try row.decode("live", as: [UInt8]?.self),
                liveActivation: try row.decode("live_activation", as: Int64?.self))
        }
    }

    private func tests(ofHosts hosts: [String]) throws -> [Host: [SavedTest]] {
        try database.query(
            """
            select tests.host, \(fragment: SavedTest.columns) from tests
            where organization_id = \(organization.uuid) and host = any(\(hosts))
            order by host, position
            """
        ).reduce(into: [:]) { try $0[$1.host("host"), default: []].append(SavedTest(row: $1)) }
    }

    /// Writes verdicts over domains that wait, and keeps the bytes of those that passed. No number is used.
    public func record(_ verdicts: [ReleaseVerdict], of release: Release) throws {
        let passed = verdicts.filter { $0.state == .passed }
        try database.execute(
            """
            insert into blobs (organization_id, sha256, bytes)
            select \(organization.uuid), new.sha256, new.bytes
            from unnest(\(passed.map { digest($0.file) })::bytea[], \(passed.map(\.file))::bytea[]) as new (sha256, bytes)
            order by new.sha256
            on conflict do nothing
            """)
        // The empty text and -1 stand for null.
        try database.execute(
            """
            update release_domains
            set state = new.state, draft_revision = nullif(new.draft_revision, -1),
              sha256 = case when new.state = 'passed' then new.sha256 end, size = new.size,
              report = nullif(new.report, '')::json, test_results = new.test_results::json,
              failures = nullif(new.failures, '[]')::json,
              made_against = coalesce(release_domains.made_against, nullif(new.made_against, -1))
            from unnest(
              \(verdicts.map(\.host.description))::text[], \(verdicts.map(\.state.rawValue))::text[],
              \(verdicts.map { $0.draftRevision ?? -1 })::bigint[], \(verdicts.map { digest($0.file) })::bytea[],
              \(verdicts.map(\.file.count))::bigint[], \(verdicts.map { $0.report?.text ?? "" })::text[],
              \(verdicts.map(\.testResults.text))::text[], \(verdicts.map { JSONValue.array($0.failures).text })::text[],
              \(verdicts.map { $0.madeAgainst ?? -1 })::bigint[]
            ) as new (host, state, draft_revision, sha256, size, report, test_results, failures, made_against)
            where release_domains.organization_id = \(organization.uuid)
              and release_domains.release_id = \(release.id.uuid) and release_domains.host = new.host
              and release_domains.state = 'waiting'
            """)
    }

    /// Locks the next domains of a release that have passed, by host. Before anything else of the transaction.
    public func lockNextToFreeze(of id: ID<Release>, limit: Int) throws -> [String] {
        let hosts = try database.query(
            """
            select host from release_domains
            where organization_id = \(organization.uuid) and release_id = \(id.uuid) and state = 'passed'
            order by host
            limit \(limit)
            """
        ).map { try $0.decode("host", as: String.self) }
        try lockDomains(hosts)
        return hosts
    }

    /// Makes versions of what has passed on domains that ``lockNextToFreeze(of:limit:)`` has locked, each under its next
    /// number. What is an older version has one already.
    public func freeze(_ hosts: [String], of release: Release) throws {
        try database.execute(
            """
            with numbered as (
              update domains set last_version = domains.last_version + 1
              from release_domains
              where release_domains.organization_id = \(organization.uuid)
                and release_domains.release_id = \(release.id.uuid) and release_domains.host = any(\(hosts))
                and release_domains.version is null and domains.organization_id = \(organization.uuid)
                and domains.host = release_domains.host
              returning domains.host, domains.last_version
            ),
            frozen as (
              insert into versions (
                organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report,
                test_results)
              select \(organization.uuid), numbered.host, numbered.last_version, release_domains.sha256,
                release_domains.size, release_domains.draft_revision, \(release.message),
                \(release.requester.kind.rawValue), \(release.requester.name), release_domains.report,
                release_domains.test_results
              from numbered
              join release_domains on release_domains.organization_id = \(organization.uuid)
                and release_domains.release_id = \(release.id.uuid) and release_domains.host = numbered.host
            ),
            told as (
              insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
              select \(organization.uuid), \(release.requester.kind.rawValue), \(release.requester.name),
                'version.created', numbered.host, json_build_object('version', numbered.last_version)
              from numbered
            )
            update release_domains
            set state = 'frozen', version = coalesce(release_domains.version, (
              select numbered.last_version from numbered where numbered.host = release_domains.host))
            where organization_id = \(organization.uuid) and release_id = \(release.id.uuid) and host = any(\(hosts))
              and state = 'passed'
            """)
    }

    /// Locks domains in the order of their hosts, as all do who lock several.
    func lockDomains(_ hosts: [String]) throws {
        _ = try database.execute(
            """
            select host from domains
            where organization_id = \(organization.uuid) and host = any(\(hosts))
            order by host
            for update
            """)
    }
}
