public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A publication: makes one version live.
public struct Publication: Hashable, Sendable {
    /// The state of a publication. In the first two it is pending; the others are final.
    public enum State: String, CaseIterable, Sendable {
        /// It waits for its time, for the publication that it follows, or for a worker.
        case scheduled
        /// A worker has claimed it. It keeps this state between attempts.
        case running
        /// Its version went live.
        case live
        /// It failed at every attempt. The cause says why.
        case failed
        /// A user cancelled it.
        case cancelled
        /// A newer publication of the domain took its place before it went live.
        case superseded
        /// At its time, another version was live than it was made for.
        case suspended

        /// Whether the state is final.
        public var isEnding: Bool { self != .scheduled && self != .running }
    }

    /// The publication's ID.
    public let id: ID<Publication>
    /// The domain.
    public let host: Host
    /// The version to make live.
    public let version: Int
    /// The state.
    public let state: State
    /// The requester's message; may be empty.
    public let message: String
    /// The reason, if one was required.
    public let reason: String?
    /// Whether it goes live even if another version has gone live since, or the file differs much.
    public let overrides: Bool
    /// The requester.
    public let requester: Author
    /// When it is due; `nil` for now.
    public let dueAt: Date?
    /// When the change must be on devices; `nil` if not requested. ``dueAt`` follows from it.
    public let effectiveBy: Date?
    /// How many seconds after ``dueAt`` it went live, or how late it is by now, so that it is too late to be on devices
    /// by ``effectiveBy``. `nil` up to a minute, and without ``effectiveBy``.
    public let late: Int?
    /// The IANA time zone that the requester used, for display.
    public let zone: String?
    /// The publication that must go live first.
    public let follows: ID<Publication>?
    /// The publication that it rolls back. It also follows that one.
    public let reverts: ID<Publication>?
    /// The publication that rolls this one back.
    public let revertedBy: ID<Publication>?
    /// The release that it belongs to.
    public let release: ID<Release>?
    /// The activation that was live when it was made. If it follows another publication, the activation of that one.
    public let madeAgainst: Int64?
    /// The activation that it made.
    public let activation: Int64?
    /// How often a worker has tried to make it live.
    public let attempts: Int
    /// Why it ended, unless it went live.
    public let cause: String?
    /// The gate's report.
    public let report: JSONValue
    /// When it was requested.
    public let createdAt: Date
    /// When a worker first claimed it.
    public let startedAt: Date?
    /// When it ended.
    public let endedAt: Date?

    init(row: Row) throws {
        id = try row.id("id")
        host = try row.host("host")
        version = try row.decode("version", as: Int.self)
        state = try row.value("state", State.init(rawValue:))
        message = try row.decode("message", as: String.self)
        reason = try row.decode("reason", as: String?.self)
        overrides = try row.decode("overrides", as: Bool.self)
        requester = try row.author(kind: "requester_kind", name: "requester_name")
        dueAt = try row.decode("due_at", as: Date?.self)
        effectiveBy = try row.decode("effective_by", as: Date?.self)
        late = try row.decode("late", as: Int?.self)
        zone = try row.decode("zone", as: String?.self)
        follows = try row.optionalID("follows")
        reverts = try row.optionalID("reverts")
        revertedBy = try row.optionalID("reverted_by")
        release = try row.optionalID("release_id")
        madeAgainst = try row.decode("made_against", as: Int64?.self)
        activation = try row.decode("activation", as: Int64?.self)
        attempts = try row.decode("attempts", as: Int.self)
        cause = try row.decode("cause", as: String?.self)
        report = try row.json("report")
        createdAt = try row.decode("created_at", as: Date.self)
        startedAt = try row.decode("started_at", as: Date?.self)
        endedAt = try row.decode("ended_at", as: Date?.self)
    }

    /// How many seconds after its due time something ends, and so is too late to be on devices in time. Null up to a
    /// minute: a worker starts a moment after the due time, and Apple documents hours.
    static func late(_ end: SQL, due: SQL = "due_at") -> SQL {
        """
        case
          when \(fragment: end) > \(fragment: due) + interval '1 minute'
            then floor(extract(epoch from \(fragment: end) - \(fragment: due)))::bigint
        end
        """
    }

    static let columns: SQL = """
        id, host, version, state, message, reason, overrides, requester_kind, requester_name, due_at, effective_by,
        case
          when effective_by is not null and state in ('scheduled', 'running', 'live')
            then \(fragment: late("coalesce(ended_at, clock_timestamp())"))
        end as late,
        zone, follows, reverts, release_id, made_against, activation, attempts, cause, report, created_at, started_at,
        ended_at,
        (
          select others.id from publications as others
          where others.organization_id = publications.organization_id and others.reverts = publications.id
        ) as reverted_by
        """
}
