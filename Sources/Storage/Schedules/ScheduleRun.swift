public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// One run of a schedule over its domains.
public struct ScheduleRun: Hashable, Sendable {
    /// The kind of run.
    public enum Kind: String, CaseIterable, Sendable {
        /// A run at its due time.
        case due
        /// A single run that catches up for all due times that were missed while no worker ran.
        case catchUp
        /// A run requested by a user.
        case manual
    }

    /// The state of a run.
    public enum State: String, CaseIterable, Sendable {
        /// Some domains have no outcome yet.
        case running
        /// Every domain has its outcome.
        case ended
    }

    /// The run's ID.
    public let id: ID<ScheduleRun>
    /// The schedule.
    public let schedule: ID<Schedule>
    /// The due time. For a manual run, the time of the request.
    public let dueAt: Date
    /// The kind of run.
    public let kind: Kind
    /// The state of the run.
    public let state: State
    /// The number of domains in the run.
    public let hostCount: Int
    /// The number of domains for each outcome, by the names of ``ScheduleOutcome/Kind``.
    public let outcomes: [String: Int]
    /// The number of due times before this one that were missed.
    public let missed: Int
    /// The first of the missed due times, or `nil` if none was missed.
    public let firstMissedAt: Date?
    /// The requester. It is Waymark itself unless the run is `manual`.
    public let requester: Author
    /// The start time.
    public let startedAt: Date
    /// The time when the last domain got its outcome, or `nil` while the run continues.
    public let endedAt: Date?

    init(row: Row) throws {
        id = try row.id("id")
        schedule = try row.id("schedule_id")
        dueAt = try row.decode("due_at", as: Date.self)
        kind = try row.value("kind", Kind.init(rawValue:))
        state = try row.value("state", State.init(rawValue:))
        hostCount = try row.decode("host_count", as: Int.self)
        outcomes = try ScheduleOutcome.counts(row: row)
        missed = try row.decode("missed", as: Int.self)
        firstMissedAt = try row.decode("first_missed_at", as: Date?.self)
        requester = try row.author(kind: "requester_kind", name: "requester_name")
        startedAt = try row.decode("started_at", as: Date.self)
        endedAt = try row.decode("ended_at", as: Date?.self)
    }

    static let columns: SQL = """
        id, schedule_id, due_at, kind, state, host_count, published, unchanged, refused, frozen, failed, missed,
        first_missed_at, requester_kind, requester_name, started_at, ended_at
        """
}

/// The outcome of a domain in a run.
public struct ScheduleOutcome: Hashable, Sendable {
    /// The kind of outcome.
    public enum Kind: Hashable, Sendable {
        /// A version was saved and a publication created.
        case published(ID<Publication>)
        /// The draft generates the live file. Only the number of these domains is stored.
        case unchanged
        /// The gate refused the domain. The value is its report.
        case refused(JSONValue)
        /// A freeze stopped it.
        case frozen(ID<Freeze>, because: String)
        /// The domain could not be published for this reason.
        case failed(because: String)

        /// The names of the cases, as stored and displayed.
        public static let names = ["published", "unchanged", "refused", "frozen", "failed"]

        /// The case's name.
        public var name: String {
            switch self {
            case .published: "published"
            case .unchanged: "unchanged"
            case .refused: "refused"
            case .frozen: "frozen"
            case .failed: "failed"
            }
        }
    }

    /// The domain.
    public let host: Host
    /// The kind of outcome.
    public let kind: Kind
    /// The time when the outcome was recorded.
    public let at: Date

    init(row: Row) throws {
        host = try row.host("host")
        kind = try Kind(row: row)
        at = try row.decode("at", as: Date.self)
    }

    /// The numbers in the columns named after the kinds.
    static func counts(row: Row) throws -> [String: Int] {
        Dictionary(uniqueKeysWithValues: try Kind.names.map { ($0, try row.decode($0, as: Int.self)) })
    }
}

extension ScheduleOutcome.Kind {
    fileprivate init(row: Row) throws {
        let cause = try row.decode("cause", as: String?.self) ?? ""
        switch try row.decode("outcome", as: String.self) {
        case "published": self = .published(try row.id("publication_id"))
        case "refused": self = .refused(try row.json("report"))
        case "frozen": self = .frozen(try row.id("freeze_id"), because: cause)
        case "failed": self = .failed(because: cause)
        default: throw CorruptRow(column: "outcome")
        }
    }

    var publication: ID<Publication>? {
        if case .published(let publication) = self { publication } else { nil }
    }

    var freeze: ID<Freeze>? {
        if case .frozen(let freeze, _) = self { freeze } else { nil }
    }

    var report: JSONValue? {
        if case .refused(let report) = self { report } else { nil }
    }

    /// The reason why the domain was not published.
    public var cause: String? {
        switch self {
        case .frozen(_, let cause), .failed(let cause): cause
        case .published, .unchanged, .refused: nil
        }
    }
}
