public import Cron
public import FoundationEssentials
import Postgres

/// A local time of an expression, and its UTC time in a zone.
public struct DueTime: Hashable, Sendable {
    /// How often the zone's clocks show a local time.
    public enum Occurrence: String, Sendable {
        /// Once, as usual.
        case once
        /// Twice, because the clocks are put back. The first time counts.
        case twice
        /// Never, because the clocks are put forward. The time right after the gap counts.
        case never
    }

    /// The local time.
    public let local: LocalTime
    /// The UTC time.
    public let moment: Date
    /// How often the zone's clocks show it.
    public let occurs: Occurrence
    /// The zone's offset from UTC at that time, in seconds.
    public let offset: Int

    /// A due time.
    public init(_ local: LocalTime, moment: Date, occurs: Occurrence = .once, offset: Int = 0) {
        self.local = local
        self.moment = moment
        self.occurs = occurs
        self.offset = offset
    }

    init(_ local: LocalTime, row: Row) throws {
        self.local = local
        moment = try row.decode("moment", as: Date.self)
        occurs = try row.value("occurs", Occurrence.init(rawValue:))
        offset = try row.decode("utc_offset", as: Int.self)
    }
}

/// The due times of a schedule since the last one that was handled, and the next one.
public struct DueTimes: Hashable, Sendable {
    /// The past due times, each time once, oldest first. If there are very many, only those of the last days.
    public let come: [DueTime]
    /// Due times up to here are in the past.
    public let handledUntil: LocalTime
    /// The next due time; `nil` if the calendar has no more.
    public let next: DueTime?
}

extension TenantTransaction {
    /// The maximum number of due times that are processed one by one. If more have passed, only those of the last
    /// ``recentDays``.
    static let mostDueTimes = 12_000
    /// With a due time every minute, so many days have no more than ``mostDueTimes``.
    static let recentDays = 8

    /// The next due times of an expression in a zone, from now on. Throws `unknownZone`.
    public func preview(_ expression: CronExpression, in zone: String, count: Int) throws -> [DueTime] {
        try requireZone(zone)
        let now = try clock()
        var handled = try dueTimes(expression, in: zone, after: localTime(now, in: zone), until: now).handledUntil
        var found: [DueTime] = []
        while found.count < count {
            let more = try times(expression, in: zone, after: handled, count: count)
            guard let last = more.last else { break }
            handled = last.local
            found = Self.distinct(found + more)
        }
        return Array(found.prefix(count))
    }

    /// The due times between two times, by the zone's current rules. For an expression with few due times, because all
    /// of them are computed at once.
    func dueTimes(_ expression: CronExpression, in zone: String, within window: Range<Date>) throws -> [DueTime] {
        // One more day on each side. Clocks are never changed by more.
        let (first, last) = (
            try localTime(window.lowerBound.addingTimeInterval(-86_400), in: zone),
            try localTime(window.upperBound.addingTimeInterval(86_400), in: zone)
        )
        var locals: [LocalTime] = []
        while let next = expression.next(after: locals.last ?? first), next < last { locals.append(next) }
        return Self.distinct(try moments(of: locals, in: zone)).filter { window.contains($0.moment) }
    }

    /// The due times after a local time, up to a time.
    func dueTimes(
        _ expression: CronExpression, in zone: String, after start: LocalTime, until now: Date
    ) throws -> DueTimes {
        var (come, handled, size) = ([DueTime](), start, 2)
        var mayCut = true
        while true {
            let batch = try times(expression, in: zone, after: handled, count: size)
            let passed = batch.prefix { $0.moment <= now }
            come += passed
            handled = passed.last?.local ?? handled
            if passed.count < size {
                return DueTimes(
                    come: Self.distinct(come), handledUntil: handled,
                    next: passed.count < batch.count ? batch[passed.count] : nil)
            }
            size = min(size * 8, 4_096)
            if mayCut, come.count > Self.mostDueTimes {
                mayCut = false
                let recent = try localTime(now.addingTimeInterval(-86_400 * Double(Self.recentDays)), in: zone)
                if recent > handled { (come, handled) = ([], recent) }
            }
        }
    }

    /// The local time in a zone.
    func localTime(_ moment: Date, in zone: String) throws -> LocalTime {
        try database.only(
            "select to_char(\(moment)::timestamptz at time zone \(zone), 'YYYY-MM-DD HH24:MI') as local_time"
        ).value("local_time") { LocalTime($0) }
    }

    /// Throws `unknownZone` if PostgreSQL does not know the IANA time zone.
    func requireZone(_ zone: String) throws {
        guard try knownZones(of: [zone]).contains(zone) else { throw StorageError.unknownZone(zone) }
    }

    /// Those of the names that are IANA time zones known to PostgreSQL. Some of its files do not belong to a place on
    /// Earth. The last four names have summer time as zones, but in `at time zone` PostgreSQL reads them as
    /// abbreviations of their winter time, all year.
    func knownZones(of names: [String]) throws -> Set<String> {
        try zones.known(of: names) {
            let rows = try database.query(
                """
                select name from pg_timezone_names
                where name !~ '^(posix|right)/'
                  and name not in ('localtime', 'posixrules', 'Factory', 'CET', 'EET', 'MET', 'WET')
                """)
            return Set(try rows.map { try $0.decode("name", as: String.self) })
        }
    }

    /// The next local times of an expression, each with its UTC time.
    private func times(
        _ expression: CronExpression, in zone: String, after start: LocalTime, count: Int
    ) throws -> [DueTime] {
        var locals: [LocalTime] = []
        while locals.count < count, let next = expression.next(after: locals.last ?? start) { locals.append(next) }
        return try moments(of: locals, in: zone)
    }

    /// The UTC times of local times, in their order.
    private func moments(of locals: [LocalTime], in zone: String) throws -> [DueTime] {
        let rows = try database.query(
            """
            select read.moment, read.occurs,
              extract(epoch from (read.moment at time zone \(zone)) - (read.moment at time zone 'UTC'))::bigint
                as utc_offset
            from unnest(\(locals.map(\.description))::timestamp[]) with ordinality as listed (local_time, place)
            cross join lateral moment_of(listed.local_time, \(zone)) as read
            order by listed.place
            """)
        return try zip(locals, rows).map { try DueTime($0, row: $1) }
    }

    /// Several local times that the clocks skip have the same UTC time. They are one due time, the first of them.
    private static func distinct(_ times: [DueTime]) -> [DueTime] {
        times.reduce(into: []) { kept, time in
            if kept.last?.moment != time.moment { kept.append(time) }
        }
    }
}
