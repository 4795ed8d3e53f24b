public import AASA
public import Cron
public import FoundationEssentials
import Postgres

/// A schedule. At each due time, it publishes the drafts that have changed and pass the gate.
public struct Schedule: Hashable, Sendable {
    /// The state of a schedule.
    public enum State: String, CaseIterable, Sendable {
        /// It runs at its due times.
        case active
        /// A user paused it. Missed runs are skipped.
        case paused
        /// Waymark suspended it, and does not run it. A user must check the reason.
        case suspended
    }

    /// The domains that it publishes.
    public enum Target: Hashable, Sendable {
        /// One domain.
        case domain(Host)
        /// All domains with a label when a run starts, without aliases.
        case label(String)
    }

    /// The settings that users can change.
    public struct Settings: Hashable, Sendable {
        /// The name, unique within the organization, 1 to 200 characters.
        public var name: String
        /// The domains to publish.
        public var target: Target
        /// The due times, in the local time of the zone.
        public var expression: CronExpression
        /// The IANA time zone.
        public var zone: String
        /// The message of its publications, at most 1,000 characters.
        public var message: String
        /// The maximum delay in seconds for a missed run. Within this time after its due time, the run is still
        /// started; later, it is skipped.
        public var catchUpSeconds: Int

        /// Creates settings.
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

    /// The limits for ``Settings/catchUpSeconds``: 0 seconds to a week.
    public static let catchUpSeconds = 0...604_800
    /// The default for ``Settings/catchUpSeconds``: six hours.
    public static let usualCatchUpSeconds = 21_600
    /// The maximum number of schedules of an organization.
    public static let maximum = 500
    /// The number of seconds after its due time within which a run counts as on time.
    public static let punctualSeconds = 60.0

    /// The schedule's ID.
    public let id: ID<Schedule>
    /// The revision. It increases by one with every change by a user.
    public let revision: Int
    /// The settings that users can change.
    public let settings: Settings
    /// The state of the schedule.
    public let state: State
    /// The reason for the pause or suspension, if one was given.
    public let reason: String?
    /// The local time up to which all due times have been handled.
    public let handledUntil: LocalTime
    /// The next due time, by the zone's current rules, or `nil` if the schedule is not active.
    public let nextDueAt: Date?
    /// Whether no worker has started the run within ``punctualSeconds`` after its due time.
    public let isOverdue: Bool
    /// The author who created the schedule.
    public let creator: Author
    /// The creation time.
    public let createdAt: Date
    /// The time of the last change by a user.
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
    /// The domain, if the target is a domain.
    public var host: Host? {
        if case .domain(let host) = self { host } else { nil }
    }

    /// The label, if the target is a label.
    public var label: String? {
        if case .label(let label) = self { label } else { nil }
    }
}
