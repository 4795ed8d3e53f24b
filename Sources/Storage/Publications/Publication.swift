public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// The act of making one version live.
public struct Publication: Hashable, Sendable {
    /// Where a publication stands: two states, in which it is pending, and five endings.
    public enum State: String, CaseIterable, Sendable {
        /// Waits for its time, for the one that it follows, or for a worker.
        case scheduled
        /// A worker has claimed it; after an attempt that failed it stays so until the next.
        case running
        /// It made its version live.
        case live
        /// It could not, however often it was tried; the cause says why.
        case failed
        /// Somebody called it off.
        case cancelled
        /// A newer publication of the domain took its place before it went live.
        case superseded
        /// What is live by its time is not what it was made against.
        case suspended

        /// Nothing changes it any more.
        public var isEnding: Bool { self != .scheduled && self != .running }
    }

    /// The publication's ID.
    public let id: ID<Publication>
    /// The domain.
    public let host: Host
    /// The version that it makes live.
    public let version: Int
    /// Where it stands.
    public let state: State
    /// What the requester said about it; may be empty.
    public let message: String
    /// Why it was made, where a reason was asked for.
    public let reason: String?
    /// It goes live even where what is live has moved, and where it differs much.
    public let overrides: Bool
    /// Who asked for it.
    public let requester: Author
    /// When it is due; `nil` for at once.
    public let dueAt: Date?
    /// When its change has to have reached devices; `nil` where that was not said. ``dueAt`` follows from it.
    public let effectiveBy: Date?
    /// By how many seconds it went live after ``dueAt``, or is late by now, too late to have reached devices by
    /// ``effectiveBy``; `nil` up to a minute, and where nothing was to be reached.
    public let late: Int?
    /// The IANA time zone in which the requester named the time, for showing it.
    public let zone: String?
    /// The publication whose going live it waits for.
    public let follows: ID<Publication>?
    /// The publication whose change it takes back; it follows that one.
    public let reverts: ID<Publication>?
    /// The publication that takes this one's change back.
    public let revertedBy: ID<Publication>?
    /// The release that it is a part of.
    public let release: ID<Release>?
    /// What was live when it was made; for one that follows another, what that one has made live.
    public let madeAgainst: Int64?
    /// The number of the change that it made.
    public let activation: Int64?
    /// How often a worker has tried to carry it out.
    public let attempts: Int
    /// Why it ended as it did, for endings other than live.
    public let cause: String?
    /// What the gate reported when it was made.
    public let report: JSONValue
    /// When it was asked for.
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

    /// By how many seconds something ends after it was due, and so is too late for devices to know in time. Up to a minute
    /// is not late, and null: a worker begins a moment after the time, and what Apple documents is in hours.
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
