public import AASA
public import Cron
public import FoundationEssentials
import Postgres

/// A schedule: at each of its times it publishes the drafts that have changed and pass the gate.
public struct Schedule: Hashable, Sendable {
    /// The state of a schedule.
    public enum State: String, CaseIterable, Sendable {
        /// It runs at its times.
        case active
        /// A user paused it. Missed runs are skipped.
        case paused
        /// Waymark suspended it, for a reason that a user must look at.
        case suspended
    }

    /// The domains that it publishes.
    public enum Target: Hashable, Sendable {
        /// One domain.
        case domain(Host)
        /// Every domain that has a label when a run starts, without aliases.
        case label(String)
    }

    /// What its users can set and change.
    public struct Settings: Hashable, Sendable {
        /// Its name, unique within the organization; 1 to 200 characters.
        public var name: String
        /// The domains that it publishes.
        public var target: Target
        /// Its times, in the zone's local time.
        public var expression: CronExpression
        /// An IANA time zone.
        public var zone: String
        /// The message of its publications; at most 1,000 characters.
        public var message: String
        /// For how long after a due time a missed run is still caught up.
        public var catchUpSeconds: Int

        /// Settings.
        public init(
            name: String, target: Target, expression: CronExpression, zone: String, message: String = "",
            catchUpSeconds: Int = Schedule.usualCatchUpSeconds
        ) {
            self.name = name
            self.target = target
            self.expression = expression
            self.zone = zone
            self.message = message
            self.catchUpSeconds = catchUpSeconds
        }
    }

    /// From never to a week.
    public static let catchUpSeconds = 0...604_800
    /// Six hours.
    public static let usualCatchUpSeconds = 21_600
    /// The maximum number of schedules of an organization.
    public static let most = 500
    /// A run that starts within so many seconds of its due time is on time.
    public static let punctualSeconds = 60.0

    /// The schedule's ID.
    public let id: ID<Schedule>
    /// Increases by one with every change by a user.
    public let revision: Int
    /// Its settings.
    public let settings: Settings
    /// The state.
    public let state: State
    /// Why it is paused or suspended, if a reason was given.
    public let reason: String?
    /// Due times up to this local time have been handled.
    public let handledUntil: LocalTime
    /// When it is due next, by the zone's current rules; `nil` while it is not active.
    public let nextDueAt: Date?
    /// Whether it is due for more than ``punctualSeconds`` and no worker has started its run.
    public let isOverdue: Bool
    /// Who made it.
    public let creator: Author
    /// When it was made.
    public let createdAt: Date
    /// When a user last changed it.
    public let updatedAt: Date

    init(row: Row) throws {
        id = try row.id("id")
        revision = try row.decode("revision", as: Int.self)
        settings = try Settings(row: row)
        state = try row.value("state", State.init(rawValue:))
        reason = try row.decode("reason", as: String?.self)
        handledUntil = try row.value("handled_until") { LocalTime($0) }
        nextDueAt = try row.decode("next_due_at", as: Date?.self)
        isOverdue = try row.decode("is_overdue", as: Bool.self)
        creator = try row.author(kind: "creator_kind", name: "creator_name")
        createdAt = try row.decode("created_at", as: Date.self)
        updatedAt = try row.decode("updated_at", as: Date.self)
    }

    static let columns: SQL = """
        id, revision, name, host, label, expression, zone, message, catch_up_seconds, state, reason,
        to_char(handled_until, 'YYYY-MM-DD HH24:MI') as handled_until, next_due_at,
        coalesce(next_due_at < clock_timestamp() - \(punctualSeconds) * interval '1 second', false) as is_overdue,
        creator_kind, creator_name, created_at, updated_at
        """
}

extension Schedule.Settings {
    fileprivate init(row: Row) throws {
        let target: Schedule.Target =
            if let label = try row.decode("label", as: String?.self) { .label(label) } else {
                .domain(try row.host("host"))
            }
        self.init(
            name: try row.decode("name", as: String.self), target: target,
            expression: try row.value("expression") { try CronExpression(parsing: $0) },
            zone: try row.decode("zone", as: String.self), message: try row.decode("message", as: String.self),
            catchUpSeconds: try row.decode("catch_up_seconds", as: Int.self))
    }
}

extension Schedule.Target {
    /// The domain, if it is one.
    public var host: Host? {
        if case .domain(let host) = self { host } else { nil }
    }

    /// The label, if it is one.
    public var label: String? {
        if case .label(let label) = self { label } else { nil }
    }
}
