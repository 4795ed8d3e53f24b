public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// One publication for many domains: all of them go live in one commit, or none.
public struct Release: Hashable, Sendable {
    /// Where a release stands: three states, in which it is pending, and seven endings.
    public enum State: String, CaseIterable, Sendable {
        /// Its domains are being judged, and when all have passed, frozen.
        case judging
        /// Everything is frozen; it waits for its time.
        case scheduled
        /// A worker is making it live.
        case running
        /// All have passed, and no more was asked for.
        case judged
        /// The gate refuses at least one domain; nothing was frozen.
        case refused
        /// No domain has anything new.
        case unchanged
        /// All its versions went live.
        case live
        /// It could not go live, however often it was tried.
        case failed
        /// Somebody called it off.
        case cancelled
        /// What is live on a domain by its time is not what it was judged against; nothing went live.
        case suspended

        /// Nothing changes it any more.
        public var isEnding: Bool { ![.judging, .scheduled, .running].contains(self) }
    }

    /// The most domains that one release may have.
    public static let mostDomains = 20_000
    /// The most releases that an organization may have pending.
    public static let mostPending = 20

    /// The release's ID.
    public let id: ID<Release>
    /// Where it stands.
    public let state: State
    /// The label by which its domains were chosen; `nil` where they were named.
    public let label: String?
    /// The release whose change it takes back.
    public let takesBack: ID<Release>?
    /// The release that has gone live to take its change back, the last one.
    public let takenBackBy: ID<Release>?
    /// What the requester said about it; may be empty.
    public let message: String
    /// Why it was made, where a reason was asked for.
    public let reason: String?
    /// It goes live also where a file differs much, and where what is live has moved.
    public let overrides: Bool
    /// It is judged and goes no further.
    public let isDryRun: Bool
    /// Who asked for it.
    public let requester: Author
    /// When it is due; `nil` for as soon as it is frozen.
    public let dueAt: Date?
    /// When its change has to have reached devices; `nil` where that was not said. ``dueAt`` follows from it.
    public let effectiveBy: Date?
    /// By how many seconds it went live after ``dueAt``, or is late by now, too late to have reached devices by
    /// ``effectiveBy``; `nil` up to a minute, and where nothing was to be reached.
    public let late: Int?
    /// The requester's IANA time zone, for showing the time.
    public let zone: String?
    /// The highest of the activations that it made.
    public let activation: Int64?
    /// Why it ended otherwise than live; while it is pending, why the last attempt failed.
    public let cause: String?
    /// When it was asked for.
    public let createdAt: Date
    /// When a worker began to make it live.
    public let startedAt: Date?
    /// When it ended.
    public let endedAt: Date?
    /// How many of its domains are in each state.
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
        coalesce(counts, (\(fragment: counted))) as counts
        """

    /// How many domains of a release are in each state; of one that has ended the release's row keeps it.
    static let counted: SQL = """
        select coalesce(json_object_agg(counted.state, counted.domains), '{}')
        from (
          select release_domains.state, count(*) as domains from release_domains
          where release_domains.organization_id = releases.organization_id and release_domains.release_id = releases.id
          group by release_domains.state
        ) as counted
        """
}

/// What became of one domain of a release.
public struct ReleaseDomain: Hashable, Sendable {
    /// Where it stands.
    public enum State: String, CaseIterable, Sendable {
        /// Not judged yet.
        case waiting
        /// The gate lets it pass; its bytes are kept.
        case passed
        /// The gate refuses it.
        case refused
        /// Its file is live already.
        case unchanged
        /// Nothing was live before the release that is taken back: it stays as it is.
        case staying
        /// It has a version with a number.
        case frozen
        /// What is live on it is not what it was judged against, or its host was withdrawn: that suspended the release.
        case moved
        /// Its version went live.
        case live
    }

    /// The domain.
    public let host: Host
    /// Where it stands.
    public let state: State
    /// The revision of the draft that was judged; `nil` where a version is published again.
    public let draftRevision: Int?
    /// The version; `nil` before it is frozen.
    public let version: Int?
    /// What failed, as an array of `{check, detail}`; `nil` where nothing did.
    public let failures: JSONValue?
    /// What the gate reported, for a domain that it refuses.
    public let report: JSONValue?
    /// The activation that was live when it was judged.
    public let madeAgainst: Int64?
    /// The version that was live before.
    public let versionBefore: Int?
    /// The number of the change on the domain's own host.
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

/// How far a consumer of the snapshot has got with a release.
public struct ReleaseConsumer: Hashable, Sendable {
    /// Its name, the operator's choice.
    public let name: String
    /// What it is.
    public let kind: ConsumerReport.Kind
    /// How many of the release's hosts it serves as the release made them, or newer.
    public let domains: Int
    /// When it reported last.
    public let seenAt: Date
}

/// How far a bucket has got with a release.
public struct ReleaseBucket: Hashable, Sendable {
    /// Its name, the operator's choice.
    public let name: String
    /// How many of the release's hosts it holds whole as the release made them, or newer.
    public let domains: Int
    /// When all of it was last compared with what it shall hold; `nil` before the first time.
    public let comparedAt: Date?
}

/// What rolling a release back would do now.
public struct ReleaseRollback: Hashable, Sendable {
    /// So many moved hosts are shown; all are counted.
    public static let shownMoves = 20

    /// How many domains would go back to the version that was live before.
    public let back: Int
    /// How many would stay as they are, because nothing was live on them before.
    public let staying: Int
    /// On how many of those that would go back something else has gone live since.
    public let moved: Int
    /// The first of them, by host.
    public let movedHosts: [Host]
}

/// What has become of a release that is live.
public struct ReleaseReach: Hashable, Sendable {
    /// The edges and directories.
    public let consumers: [ReleaseConsumer]
    /// The buckets.
    public let buckets: [ReleaseBucket]
    /// What rolling it back would do; `nil` where it is not live.
    public let rollback: ReleaseRollback?

    /// That of a release which is not live.
    public static let nowhere = ReleaseReach(consumers: [], buckets: [], rollback: nil)
}
