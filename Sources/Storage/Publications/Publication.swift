public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A publication. It makes one version live.
public struct Publication: Hashable, Sendable {
    /// The state of a publication. `scheduled` and `running` are pending; the other states are final.
    public enum State: String, CaseIterable, Sendable {
        /// It waits for its due time, for the publication that it follows, or for a worker.
        case scheduled
        /// A worker has claimed it. The state stays the same between attempts.
        case running
        /// Its version went live.
        case live
        /// It failed on every attempt. The cause has the reason.
        case failed
        /// A user cancelled it.
        case cancelled
        /// A newer publication of the domain replaced it before it went live.
        case superseded
        /// The live version at its due time was not the one that it was created for, so it did not go live.
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
    /// The state of the publication.
    public let state: State
    /// The requester's message. It may be empty.
    public let message: String
    /// The reason, if one was required.
    public let reason: String?
    /// Whether it goes live even if the live version has changed, or the file is very different.
    public let overrides: Bool
    /// Whether it goes live without the required approvals.
    public let bypassesApproval: Bool
    /// The author who requested the publication.
    public let requester: Author
    /// The due time, or `nil` if it is due now.
    public let dueAt: Date?
    /// The time by which devices must have the change, or `nil` if not requested. It determines ``dueAt``.
    public let effectiveBy: Date?
    /// The delay in seconds from ``dueAt`` until it went live, or until now. `nil` without ``effectiveBy``, and for
    /// delays of up to a minute, which do not matter to devices.
    public let late: Int?
    /// The IANA time zone of the requester, for display.
    public let zone: String?
    /// The publication that must go live first, or `nil`.
    public let follows: ID<Publication>?
    /// The publication that it rolls back, which is also the one that it follows.
    public let reverts: ID<Publication>?
    /// The publication that rolls this one back, or `nil`.
    public let revertedBy: ID<Publication>?
    /// The release that created it, or `nil`.
    public let release: ID<Release>?
    /// The live activation when it was created. If it follows another publication, that publication's activation.
    public let madeAgainst: Int64?
    /// The number of the activation that made it live, or `nil` if it did not go live.
    public let activation: Int64?
    /// The number of times that a worker has tried to make it live.
    public let attempts: Int
    /// The reason why it ended without going live.
    public let cause: String?
    /// The gate's report.
    public let report: JSONValue
    /// The time of the request.
    public let createdAt: Date
    /// The time when a worker first claimed it, or `nil` if none has.
    public let startedAt: Date?
    /// The time when it reached a final state, or `nil` while it is pending.
    public let endedAt: Date?

    init(row: Row) throws {
        id = try row.id("id")
        host = try row.host("host")
        version = try row.decode("version", as: Int.self)
        state = try row.value("state", State.init(rawValue:))
        message = try row.decode("message", as: String.self)
        reason = try row.decode("reason", as: String?.self)
        overrides = try row.decode("overrides", as: Bool.self)
        bypassesApproval = try row.decode("bypasses_approval", as: Bool.self)
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

    /// The delay of an end after a due time in seconds, or null for up to a minute. Such a delay does not matter: a
    /// worker needs a moment to start, and Apple documents delays of hours.
    static func late(_ end: SQL, due: SQL = "due_at") -> SQL {
        """
        case
          when \(fragment: end) > \(fragment: due) + interval '1 minute'
            then floor(extract(epoch from \(fragment: end) - \(fragment: due)))::bigint
        end
        """
    }

    static let columns: SQL = """
        id, host, version, state, message, reason, overrides, bypasses_approval, requester_kind, requester_name, due_at,
        effective_by,
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
