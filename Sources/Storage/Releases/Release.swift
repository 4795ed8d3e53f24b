public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A release. It publishes many domains in one transaction: all or none.
public struct Release: Hashable, Sendable {
    /// The state of a release. `judging`, `scheduled` and `running` are pending; the other states are final.
    public enum State: String, CaseIterable, Sendable {
        /// Its domains are being judged. If all pass, their versions are saved.
        case judging
        /// All versions are saved, and it waits for its due time.
        case scheduled
        /// A worker is making it live.
        case running
        /// All domains have passed, and only a judgment was requested.
        case judged
        /// At least one domain failed the gate. No version was saved.
        case refused
        /// No domain has changes to publish.
        case unchanged
        /// All versions are live.
        case live
        /// It failed on every attempt.
        case failed
        /// A user cancelled it.
        case cancelled
        /// Nothing went live, because the live version of at least one domain has changed since the judgment.
        case suspended

        /// Whether the state is final.
        public var isEnding: Bool { ![.judging, .scheduled, .running].contains(self) }
    }

    /// The maximum number of domains in a release.
    public static let maximumDomains = 20_000
    /// The maximum number of pending releases of an organization.
    public static let maximumPending = 20

    /// The release's ID.
    public let id: ID<Release>
    /// The state of the release.
    public let state: State
    /// The label that selected its domains, or `nil` if the request listed hosts.
    public let label: String?
    /// The release that it rolls back.
    public let rollsBack: ID<Release>?
    /// The last live release that rolled this one back, or `nil`.
    public let rolledBackBy: ID<Release>?
    /// The requester's message. It may be empty.
    public let message: String
    /// The reason, if one was required.
    public let reason: String?
    /// Whether it goes live even if a file is very different, or the live version has changed.
    public let overrides: Bool
    /// Whether the requester wants it to go live without the required approvals.
    public let bypassesApproval: Bool
    /// Whether it is only judged, not published.
    public let isDryRun: Bool
    /// The author who requested the release.
    public let requester: Author
    /// The due time, or `nil` for as soon as possible.
    public let dueAt: Date?
    /// The time by which devices must have the change, or `nil` if not requested. It determines ``dueAt``.
    public let effectiveBy: Date?
    /// The delay in seconds from ``dueAt`` until it went live, or until now. `nil` without ``effectiveBy``, and for
    /// delays of up to a minute, which do not matter to devices.
    public let late: Int?
    /// The requester's IANA time zone, for display.
    public let zone: String?
    /// The latest activation of its hosts, or `nil` if it did not go live.
    public let activation: Int64?
    /// The reason why it ended without going live. While it is pending, the reason why the last attempt failed.
    public let cause: String?
    /// The time of the request.
    public let createdAt: Date
    /// The time when a worker started to make it live.
    public let startedAt: Date?
    /// The time when it reached a final state, or `nil` while it is pending.
    public let endedAt: Date?
    /// The number of its domains in each state.
    public let counts: [ReleaseDomain.State: Int]

    init(row: Row) throws {
        id = try row.id("id")
        state = try row.value("state", State.init(rawValue:))
        label = try row.decode("label", as: String?.self)
        rollsBack = try row.optionalID("takes_back")
        rolledBackBy = try row.optionalID("rolled_back_by")
        message = try row.decode("message", as: String.self)
        reason = try row.decode("reason", as: String?.self)
        overrides = try row.decode("overrides", as: Bool.self)
        bypassesApproval = try row.decode("bypasses_approval", as: Bool.self)
        isDryRun = try row.decode("dry_run", as: Bool.self)
        requester = try row.author(kind: "requester_kind", name: "requester_name")
        dueAt = try row.decode("due_at", as: Date?.self)
        effectiveBy = try row.decode("effective_by", as: Date?.self)
        late = try row.decode("late", as: Int?.self)
        zone = try row.decode("zone", as: String?.self)
        activation = try row.decode("activation", as: Int64?.self)
        cause = try row.decode("cause", as: String?.self)
        createdAt = try row.decode("created_at", as: Date.self)
        startedAt = try row.decode("started_at", as: Date?.self)
        endedAt = try row.decode("ended_at", as: Date?.self)
        let counted = try row.json("counts").object?.members ?? []
        counts = Dictionary(
            counted.compactMap { member in
                ReleaseDomain.State(rawValue: member.name).map { ($0, member.value.number?.int ?? 0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    static let columns: SQL = """
        id, state, label, takes_back, message, reason, overrides, bypasses_approval, dry_run, requester_kind,
        requester_name, due_at, effective_by,
        case
          when effective_by is not null and state in ('judging', 'scheduled', 'running', 'live')
            then \(fragment: Publication.late("coalesce(ended_at, clock_timestamp())"))
        end as late,
        zone, activation, cause, created_at, started_at, ended_at,
        (
          select others.id from releases as others
          where others.organization_id = releases.organization_id and others.takes_back = releases.id
            and others.state = 'live'
          order by others.activation desc
          limit 1
        ) as rolled_back_by,
        coalesce(counts, (\(fragment: counted))) as counts
        """

    /// A query for the number of a release's domains in each state. If the release has ended, its row has the numbers
    /// in `counts`.
    static let counted: SQL = """
        select coalesce(json_object_agg(counted.state, counted.domains), '{}')
        from (
          select release_domains.state, count(*) as domains from release_domains
          where release_domains.organization_id = releases.organization_id and release_domains.release_id = releases.id
          group by release_domains.state
        ) as counted
        """
}

/// A domain of a release, with its state.
public struct ReleaseDomain: Hashable, Sendable {
    /// The state.
    public enum State: String, CaseIterable, Sendable {
        /// Not judged yet.
        case waiting
        /// The domain passed the gate. The bytes of its file are stored.
        case passed
        /// The domain failed the gate.
        case refused
        /// Its file is already live.
        case unchanged
        /// In a rollback: no version was live before the release, so the domain does not change.
        case staying
        /// Its version is saved.
        case frozen
        /// The domain made Waymark suspend the release, because its live version has changed since the judgment or its
        /// host was withdrawn.
        case moved
        /// Its version went live.
        case live
    }

    /// The domain.
    public let host: Host
    /// The state of the domain in the release.
    public let state: State
    /// The revision of the judged draft, or `nil` if a version is published again.
    public let draftRevision: Int?
    /// The version, or `nil` if it is not saved yet.
    public let version: Int?
    /// The failed checks, as an array of `{check, detail}`, or `nil` if no check failed.
    public let failures: JSONValue?
    /// The gate's report, for a domain that failed.
    public let report: JSONValue?
    /// The live activation when the domain was judged.
    public let madeAgainst: Int64?
    /// The live version before the release.
    public let versionBefore: Int?
    /// The activation on the domain's own host.
    public let activation: Int64?

    init(row: Row) throws {
        host = try row.host("host")
        state = try row.value("state", State.init(rawValue:))
        draftRevision = try row.decode("draft_revision", as: Int?.self)
        version = try row.decode("version", as: Int?.self)
        failures = try row.optionalJSON("failures")
        report = try row.optionalJSON("report")
        madeAgainst = try row.decode("made_against", as: Int64?.self)
        versionBefore = try row.decode("version_before", as: Int?.self)
        activation = try row.decode("activation", as: Int64?.self)
    }

    static let columns: SQL = """
        host, state, draft_revision, version, failures, case when state = 'refused' then report end as report,
        made_against, version_before, activation
        """
}

/// The progress of a release on a consumer.
public struct ReleaseConsumer: Hashable, Sendable {
    /// The consumer's name. The operator chooses it.
    public let name: String
    /// The kind of consumer.
    public let kind: ConsumerReport.Kind
    /// The number of the release's hosts on which the consumer serves the release's version or a newer one.
    public let domains: Int
    /// The time of its last report.
    public let seenAt: Date
}

/// The progress of a release on a bucket.
public struct ReleaseBucket: Hashable, Sendable {
    /// The number of the release's hosts for which the bucket has the release's version or a newer one, at both paths.
    public let name: String
    /// The number of hosts in the release that it has, at both paths, in the release's version or a newer one.
    public let domains: Int
    /// The time of the last comparison of the whole bucket, or `nil` if it was never compared.
    public let comparedAt: Date?
}

/// The effect of rolling a release back now.
public struct ReleaseRollback: Hashable, Sendable {
    /// The maximum number of entries in ``movedHosts``. ``moved`` counts all of them.
    public static let shownMoves = 20

    /// The number of domains that would get their earlier version again.
    public let back: Int
    /// The number of domains that would not change, because no version was live on them before.
    public let staying: Int
    /// The number of domains that would get their earlier version again, but whose live version has changed since.
    public let moved: Int
    /// The first of the hosts counted in ``moved``, sorted.
    public let movedHosts: [Host]
}

/// The progress of a live release.
public struct ReleaseReach: Hashable, Sendable {
    /// The edges and directory writers.
    public let consumers: [ReleaseConsumer]
    /// The buckets.
    public let buckets: [ReleaseBucket]
    /// The effect of rolling it back, or `nil` if it is not live.
    public let rollback: ReleaseRollback?

    /// The progress of a release that is not live.
    public static let nowhere = ReleaseReach(consumers: [], buckets: [], rollback: nil)
}
