public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A release: publishes many domains in one commit, all or none.
public struct Release: Hashable, Sendable {
    /// The state of a release. In the first three it is pending; the others are final.
    public enum State: String, CaseIterable, Sendable {
        /// Its domains are being judged; when all have passed, their versions are saved.
        case judging
        /// All versions are saved, and it waits for its time.
        case scheduled
        /// A worker is making it live.
        case running
        /// All domains have passed, and only that was requested.
        case judged
        /// The gate refused at least one domain. No version was saved.
        case refused
        /// No domain has changes to publish.
        case unchanged
        /// All its versions went live.
        case live
        /// It failed at every attempt.
        case failed
        /// A user cancelled it.
        case cancelled
        /// On a domain, another version is live than the one it was judged for. Nothing went live.
        case suspended

        /// Whether the state is final.
        public var isEnding: Bool { ![.judging, .scheduled, .running].contains(self) }
    }

    /// The maximum number of domains in a release.
    public static let mostDomains = 20_000
    /// The maximum number of pending releases of an organization.
    public static let mostPending = 20

    /// The release's ID.
    public let id: ID<Release>
    /// The state.
    public let state: State
    /// The label that chose its domains; `nil` if hosts were named.
    public let label: String?
    /// The release that it rolls back.
    public let takesBack: ID<Release>?
    /// The last release that went live to roll this one back.
    public let takenBackBy: ID<Release>?
    /// The requester's message; may be empty.
    public let message: String
    /// The reason, if one was required.
    public let reason: String?
    /// Whether it goes live even if a file differs much, or another version has gone live since.
    public let overrides: Bool
    /// Whether it is only judged.
    public let isDryRun: Bool
    /// The requester.
    public let requester: Author
    /// When it is due; `nil` for as soon as possible.
    public let dueAt: Date?
    /// When the change must be on devices; `nil` if not requested. ``dueAt`` follows from it.
    public let effectiveBy: Date?
    /// How many seconds after ``dueAt`` it went live, or how late it is by now, so that it is too late to be on devices
    /// by ``effectiveBy``. `nil` up to a minute, and without ``effectiveBy``.
    public let late: Int?
    /// The requester's IANA time zone, for display.
    public let zone: String?
    /// The highest activation that it made.
    public let activation: Int64?
    /// Why it ended, unless it went live. While it is pending: why the last attempt failed.
    public let cause: String?
    /// When it was requested.
    public let createdAt: Date
    /// When a worker started to make it live.
    public let startedAt: Date?
    /// When it ended.
    public let endedAt: Date?
    /// The number of its domains in each state.
    public let counts: [ReleaseDomain.State: Int]

    init(row: Row) throws {
        id = try row.id("id")
        state = try row.value("state", State.init(rawValue:))
        label = try row.decode("label", as: String?.self)
        takesBack = try row.optionalID("takes_back")
        takenBackBy = try row.optionalID("taken_back_by")
        message = try row.decode("message", as: String.self)
        reason = try row.decode("reason", as: String?.self)
        overrides = try row.decode("overrides", as: Bool.self)
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
        id, state, label, takes_back, message, reason, overrides, dry_run, requester_kind, requester_name, due_at,
        effective_by,
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
        ) as taken_back_by,
        (
          select coalesce(json_object_agg(counted.state, counted.domains), '{}')
          from (
            select release_domains.state, count(*) as domains from release_domains
            where release_domains.organization_id = releases.organization_id
              and release_domains.release_id = releases.id
            group by release_domains.state
          ) as counted
        ) as counts
        """
}

/// The state of one domain of a release.
public struct ReleaseDomain: Hashable, Sendable {
    /// The state.
    public enum State: String, CaseIterable, Sendable {
        /// Not judged yet.
        case waiting
        /// The gate passed it. Its bytes are stored.
        case passed
        /// The gate refused it.
        case refused
        /// Its file is already live.
        case unchanged
        /// In a rollback: nothing was live before the release, so the domain stays as it is.
        case staying
        /// Its version is saved.
        case frozen
        /// It suspended the release: another version is live than the one it was judged for, or its host was withdrawn.
        case moved
        /// Its version went live.
        case live
    }

    /// The domain.
    public let host: Host
    /// The state.
    public let state: State
    /// The revision of the draft that was judged; `nil` if a version is published again.
    public let draftRevision: Int?
    /// The version; `nil` until it is saved.
    public let version: Int?
    /// The failed checks, as an array of `{check, detail}`; `nil` if there are none.
    public let failures: JSONValue?
    /// The gate's report for a refused domain.
    public let report: JSONValue?
    /// The activation that was live when it was judged.
    public let madeAgainst: Int64?
    /// The version that was live before the release.
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

/// The progress of a consumer with a release.
public struct ReleaseConsumer: Hashable, Sendable {
    /// Its name, which the operator chose.
    public let name: String
    /// The kind of consumer.
    public let kind: ConsumerReport.Kind
    /// How many hosts of the release it serves in the release's version or a newer one.
    public let domains: Int
    /// When it last reported.
    public let seenAt: Date
}

/// The progress of a bucket with a release.
public struct ReleaseBucket: Hashable, Sendable {
    /// Its name, which the operator chose.
    public let name: String
    /// How many hosts of the release it has, at both paths, in the release's version or a newer one.
    public let domains: Int
    /// When the whole bucket was last compared; `nil` if never.
    public let comparedAt: Date?
}

/// The effect of rolling a release back now.
public struct ReleaseRollback: Hashable, Sendable {
    /// How many moved hosts are returned. All are counted.
    public static let shownMoves = 20

    /// How many domains would go back to their earlier version.
    public let back: Int
    /// How many would stay, because nothing was live on them before.
    public let staying: Int
    /// How many of those that would go back have another live version since.
    public let moved: Int
    /// The first of them, by host.
    public let movedHosts: [Host]
}

/// The progress of a live release.
public struct ReleaseReach: Hashable, Sendable {
    /// Edges and directory writers.
    public let consumers: [ReleaseConsumer]
    /// The buckets.
    public let buckets: [ReleaseBucket]
    /// The effect of rolling it back; `nil` if it is not live.
    public let rollback: ReleaseRollback?

    /// For a release that is not live.
    public static let nowhere = ReleaseReach(consumers: [], buckets: [], rollback: nil)
}
