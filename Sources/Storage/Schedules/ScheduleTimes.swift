public import Cron
public import FoundationEssentials
import Postgres

/// A local time that matches an expression, with its UTC time in a zone.
public struct DueTime: Hashable, Sendable {
    /// The number of times that the zone's clocks show a local time.
    public enum Occurrence: String, Sendable {
        /// Once. This is the usual case.
        case once
        /// Twice, because the clocks are set back. The first time is used.
        case twice
        /// Never, because the clocks are set forward. The time right after the gap is used.
        case never
    }

    /// The local time.
    public let local: LocalTime
    /// The UTC time.
    public let moment: Date
    /// The number of times that the zone's clocks show the local time.
    public let occurs: Occurrence
    /// The zone's offset from UTC at that time, in seconds.
    public let offset: Int

    /// Creates a due time.
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

/// The past due times of a schedule that were not handled yet, and the next due time.
public struct DueTimes: Hashable, Sendable {
    /// The past due times without duplicates, oldest first. If there are very many, only those of the last days.
    public let come: [DueTime]
    /// The local time up to which due times are in the past.
    public let handledUntil: LocalTime
    /// The next due time, or `nil` if the calendar has no later one.
    public let next: DueTime?
}

extension TenantTransaction {
    /// The maximum number of past due times that are handled one by one. If more have passed, only those of the last
    /// ``recentDays`` days are handled.
    static let maximumDueTimes = 12_000
    /// The number of days that have at most ``maximumDueTimes`` due times, even with one every minute.
    static let recentDays = 8

    /// The next due times of an expression in a zone, starting now. Throws `unknownZone`.
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

    /// The due times in a time window, by the zone's current rules. Computes all of them at once, so use it only for
    /// expressions with few due times.
    func dueTimes(_ expression: CronExpression, in zone: String, within window: Range<Date>) throws -> [DueTime] {
        // One extra day on each side. Clock changes are never larger.
        let (first, last) = (
            try localTime(window.lowerBound.addingTimeInterval(-86_400), in: zone),
            try localTime(window.upperBound.addingTimeInterval(86_400), in: zone)
        )
        var locals: [LocalTime] = []
        while let next = expression.next(after: locals.last ?? first), next < last { locals.append(next) }
        return Self.distinct(try moments(of: locals, in: zone)).filter { window.contains($0.moment) }
    }

    /// The due times after a local time and up to a time.
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
            if mayCut, come.count > Self.maximumDueTimes {
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

    /// The names that are IANA time zones known to PostgreSQL.
    ///
    /// Some of PostgreSQL's zone files are not zones of a real place, and are left out. So are the last four names in
    /// the query: they are zones with summer time, but `at time zone` reads them as abbreviations of winter time all
    /// year.
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

    /// The UTC times of local times, in the same order.
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

    /// Keeps only the first of several local times with the same UTC time. Local times that the clocks skip have the
    /// same UTC time.
    private static func distinct(_ times: [DueTime]) -> [DueTime] {
        times.reduce(into: []) { kept, time in
            if kept.last?.moment != time.moment { kept.append(time) }
        }
    }
}
