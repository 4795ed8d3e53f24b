public import AASA
public import FoundationEssentials
import Postgres

/// The data for judging a publication of a domain.
public struct DomainCandidate: Sendable {
    /// The domain.
    public let host: Host
    /// Whether the domain has become an alias since it was chosen.
    public let isAlias: Bool
    /// The draft, which is judged unless ``older`` is set.
    public var draft: StoredDraft
    /// The SHA-256 of the draft's file, 32 bytes.
    public let draftSHA256: [UInt8]
    /// The approvals that the draft's file needs and has, or `nil` if it needs none.
    public var approval: ApprovalNeed?
    /// An older version to publish again, with its bytes.
    public let older: (version: Int, file: [UInt8])?
    /// The domain's tests, in order.
    public var tests: [SavedTest]
    /// Whether the organization holds the host's claim.
    public let isVerified: Bool
    /// The end of the grace period of a pending withdrawal.
    public let withdrawalDueAt: Date?
    /// Whether it was live and has been withdrawn.
    public let isWithdrawn: Bool
    /// The live file, or `nil` if no version is live.
    public let live: [UInt8]?
    /// The activation of the live file.
    public let liveActivation: Int64?
    /// The app replacements in the draft since the live version was saved, in order. Empty if an older version is
    /// published again.
    public var replacedApps: [ReplacedApp]
}

extension TenantTransaction {
    /// A condition that limits a column to the range of some hosts, for use with a join on these hosts. PostgreSQL has
    /// no statistics for new rows. Without the condition, it may compare all rows of a release or replacement with all
    /// hosts of a batch.
    func span(_ column: SQL, _ hosts: [String]) -> SQL {
        """
        \(fragment: column) >= (select min(batch.host) from unnest(\(hosts)::text[]) as batch (host))
        and \(fragment: column) <= (select max(batch.host) from unnest(\(hosts)::text[]) as batch (host))
        """
    }

    /// The maximum number of bytes of drafts that are read together. The draft that exceeds it is still included.
    /// Drafts need many times as much memory.
    public static let maximumCandidateBytes = 2 << 20

    /// The current state of domains, sorted by host. If the drafts are large, returns only the first domains
    /// (``maximumCandidateBytes``).
    ///
    /// - Parameter waiting: A query for the `host` of each domain, and the `version` if one is published again.
    func candidates(_ waiting: SQL) throws -> [DomainCandidate] {
        let rows = try database.query(
            .replanned(
                """
                with waiting as (\(fragment: waiting)),
                measured as (
                  select waiting.host, waiting.version, sum(octet_length(drafts.document::text)) over (
                    order by waiting.host rows between unbounded preceding and 1 preceding
                  ) as bytes_before
                  from waiting
                  join drafts on drafts.organization_id = \(organization.uuid) and drafts.host = waiting.host
                ),
                chosen as (
                  select host, version from measured
                  where coalesce(bytes_before, 0) < \(Self.maximumCandidateBytes)
                )
                select chosen.host, chosen.version, domains.alias_of is not null as is_alias,
                  drafts.revision, drafts.document, drafts.updated_at, drafts.file_sha256,
                  claims.host is not null as is_verified,
                  case when claims.version is not null then claims.activation end as live_activation,
                  claims.version as live_version,
                  coalesce(claims.version is null and claims.activation is not null, false) as is_withdrawn,
                  live.bytes as live, older.bytes as older,
                  (
                    select min(withdrawals.due_at) from withdrawals
                    where withdrawals.organization_id = domains.organization_id
                      and withdrawals.host = chosen.host and withdrawals.state = 'pending'
                  ) as withdrawal_due_at
                from chosen
                join domains on domains.organization_id = \(organization.uuid) and domains.host = chosen.host
                join drafts on drafts.organization_id = domains.organization_id and drafts.host = chosen.host
                left join claims on claims.organization_id = domains.organization_id and claims.host = chosen.host
                left join blobs as live
                  on live.organization_id = domains.organization_id and live.sha256 = claims.sha256
                left join versions
                  on versions.organization_id = domains.organization_id and versions.host = chosen.host
                    and versions.number = chosen.version
                left join blobs as older
                  on older.organization_id = domains.organization_id and older.sha256 = versions.sha256
                order by chosen.host
                """))
        let tests = try tests(ofHosts: rows.map { try $0.decode("host", as: String.self) })
        let live = try rows.compactMap { row -> (host: Host, number: Int)? in
            guard try row.decode("version", as: Int?.self) == nil else { return nil }
            return try row.decode("live_version", as: Int?.self).map { (try row.host("host"), $0) }
        }
        let replacedApps = try replacedApps(since: live)
        return try rows.map { row in
            let host = try row.host("host")
            let version = try row.decode("version", as: Int?.self)
            let older = try row.decode("older", as: [UInt8]?.self)
            let draft = try StoredDraft(row: row)
            return DomainCandidate(
                host: host, isAlias: try row.decode("is_alias", as: Bool.self), draft: draft,
                draftSHA256: try row.decode("file_sha256", as: [UInt8].self),
                older: version.flatMap { version in older.map { (version, $0) } }, tests: tests[host] ?? [],
                isVerified: try row.decode("is_verified", as: Bool.self),
                withdrawalDueAt: try row.decode("withdrawal_due_at", as: Date?.self),
                isWithdrawn: try row.decode("is_withdrawn", as: Bool.self),
                live: try row.decode("live", as: [UInt8]?.self),
                liveActivation: try row.decode("live_activation", as: Int64?.self),
                replacedApps: replacedApps[host, default: []].filter { $0.revision <= draft.revision })
        }
    }

    /// The app replacements in the drafts of domains after a version of each domain was saved, in order.
    public func replacedApps(since versions: [(host: Host, number: Int)]) throws -> [Host: [ReplacedApp]] {
        guard !versions.isEmpty else { return [:] }
        let hosts = versions.map(\.host.description)
        let statement: SQL = """
            select replacement_domains.host, replacement_domains.revision, replacements.app_id,
              replacements.replacement_app_id, replacements.created_at
            from unnest(\(hosts)::text[], \(versions.map(\.number))::bigint[]) as frozen (host, number)
            join versions on versions.organization_id = \(organization.uuid)
              and versions.host = frozen.host and versions.number = frozen.number
            join replacement_domains on replacement_domains.organization_id = \(organization.uuid)
              and replacement_domains.host = frozen.host and replacement_domains.state = 'changed'
              and replacement_domains.revision > versions.draft_revision
            join replacements on replacements.organization_id = \(organization.uuid)
              and replacements.id = replacement_domains.replacement_id
            order by replacement_domains.host, replacement_domains.revision
            """
        let rows = try database.query(versions.count > 1 ? .replanned(statement) : statement)
        return try rows.reduce(into: [:]) { replaced, row in
            let app = ReplacedApp(
                try row.value("app_id") { try AppID($0) }, by: try row.value("replacement_app_id") { try AppID($0) },
                revision: try row.decode("revision", as: Int.self), at: try row.decode("created_at", as: Date.self))
            replaced[try row.host("host"), default: []].append(app)
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
}
