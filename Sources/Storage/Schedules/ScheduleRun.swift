public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// One run of a schedule over its domains.
public struct ScheduleRun: Hashable, Sendable {
    /// Why there is a run.
    public enum Kind: String, CaseIterable, Sendable {
        /// Its time has come.
        case due
        /// Its time came while everything was down, or others before it did: the one run that makes up for them.
        case catchUp
        /// Somebody asked for it.
        case manual
    }

    /// Where a run stands.
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
    /// Its due time; for one that somebody asked for, when that was.
    public let dueAt: Date
    /// Why there is a run.
    public let kind: Kind
    /// Where it stands.
    public let state: State
    /// How many domains it is about.
    public let hostCount: Int
    /// How many of them have come out how, by the names of ``ScheduleOutcome/Kind``, each with its number.
    public let outcomes: [String: Int]
    /// How many due times before its own passed without a run.
    public let missed: Int
    /// The first of those.
    public let firstMissedAt: Date?
    /// Who asked for it; Waymark itself unless it is `manual`.
    public let requester: Author
    /// When it began.
    public let startedAt: Date
    /// When the last domain had its outcome.
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

/// What became of a domain in a run.
public struct ScheduleOutcome: Hashable, Sendable {
    /// How it came out.
    public enum Kind: Hashable, Sendable {
        /// Its draft was frozen and a publication made.
        case published(ID<Publication>)
        /// The draft gives what is live already. It is counted, and nothing more is kept of it.
        case unchanged
        /// The gate refused, with this report.
        case refused(JSONValue)
        /// A freeze stopped it.
        case frozen(ID<Freeze>, because: String)
        /// It could not be published, for this reason.
        case failed(because: String)

        /// The names of the cases, as they are stored and shown.
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
    /// How it came out.
    public let kind: Kind
    /// When.
    public let at: Date

    init(row: Row) throws {
        host = try row.host("host")
        kind = try Kind(row: row)
        at = try row.decode("at", as: Date.self)
    }

    /// The numbers in the columns that are named as the kinds are.
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

    /// Why it is not published.
    public var cause: String? {
        switch self {
        case .frozen(_, let cause), .failed(let cause): cause
        case .published, .unchanged, .refused: nil
        }
    }
}
