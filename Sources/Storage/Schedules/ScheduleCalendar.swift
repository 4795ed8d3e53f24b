public import Cron
public import FoundationEssentials
import Postgres

/// The days of a calendar, in the reader's time zone.
public struct CalendarDays: Hashable, Sendable {
    /// The limits for the number of days: up to six weeks.
    public static let counts = 1...42

    /// The first day, at midnight.
    public let first: LocalTime
    /// The number of days, within ``counts``.
    public let count: Int
    /// The reader's IANA time zone.
    public let zone: String

    /// Creates the days of a calendar.
    public init(first: LocalTime, count: Int, zone: String) {
        self.first = first
        self.count = count
        self.zone = zone
    }
}

/// A schedule in a calendar.
public struct ScheduleCalendar: Hashable, Sendable {
    /// The maximum number of due times per day in the calendar. The due times of a schedule with more are left out.
    public static let maximumTimesPerDay = 24
    /// The maximum number of schedules on a page. Each may have a thousand due times to compute.
    public static let maximumPageSize = 25

    /// The schedule.
    public let schedule: Schedule
    /// Whether the schedule has more than ``maximumTimesPerDay`` due times per day. ``days`` then has no due times.
    public let isOften: Bool
    /// The days with runs or due times, in order.
    public let days: [ScheduleDay]
}

/// The runs and due times of a schedule on a day.
public struct ScheduleDay: Hashable, Sendable {
    /// The day, such as `2026-11-22`.
    public let date: String
    /// The day's runs, or `nil` if there were none.
    public let ran: DayRuns?
    /// The day's due times, by the zone's current rules.
    public let due: [DueTime]
}

/// The combined runs of a schedule on a day.
public struct DayRuns: Hashable, Sendable {
    /// The number of runs.
    public let count: Int
    /// The run, if there is only one.
    public let only: ID<ScheduleRun>?
    /// The due time of the first run.
    public let first: Date
    /// The due time of the last run.
    public let last: Date
    /// The number of runs that have not ended.
    public let running: Int
    /// The number of due times that were missed before these runs.
    public let missed: Int
    /// The number of domains for each outcome, by the names of ``ScheduleOutcome/Kind``.
    public let outcomes: [String: Int]
}

extension TenantTransaction {
    /// The schedules sorted by name, at most ``ScheduleCalendar/maximumPageSize``, each with the days of a calendar.
    /// The page's key is a name. Throws `unknownZone`.
    public func scheduleCalendar(_ days: CalendarDays, _ page: Page) throws -> Listing<ScheduleCalendar> {
        let listing = try schedules(Page(limit: min(page.limit, ScheduleCalendar.maximumPageSize), after: page.after))
        let known = try knownZones(of: listing.items.map(\.settings.zone) + [days.zone])
        guard known.contains(days.zone) else { throw StorageError.unknownZone(days.zone) }
        let window = try window(of: days)
        let ran = try dayRuns(of: listing.items.map(\.id), in: window, days.zone)
        // Schedules in time zones that PostgreSQL no longer knows have no due times here. They will soon be suspended.
        let due = try dueDays(
            of: listing.items.filter { known.contains($0.settings.zone) }, in: window, days.zone)
        return listing.map { schedule in
            let (ran, due) = (ran[schedule.id] ?? [:], due[schedule.id] ?? [:])
            return ScheduleCalendar(
                schedule: schedule, isOften: schedule.isOften,
                days: Set(ran.keys).union(due.keys).sorted().map {
                    ScheduleDay(date: $0, ran: ran[$0], due: due[$0] ?? [])
                })
        }
    }

    /// The time from the start of the first day to the end of the last day.
    private func window(of days: CalendarDays) throws -> Range<Date> {
        let row = try database.only(
            """
            select \(days.first.description)::timestamp at time zone \(days.zone) as beginning,
              (\(days.first.description)::timestamp + \(days.count) * interval '1 day') at time zone \(days.zone)
                as ending
            """)
        let beginning = try row.decode("beginning", as: Date.self)
        return beginning..<max(beginning, try row.decode("ending", as: Date.self))
    }

    private func dayRuns(
        of schedules: [ID<Schedule>], in window: Range<Date>, _ zone: String
    ) throws -> [ID<Schedule>: [String: DayRuns]] {
        let rows = try database.query(
            """
            with days as (
              select schedule_id, (due_at at time zone \(zone))::date as date, count(*) as runs, min(due_at) as first_at,
                max(due_at) as last_at, count(*) filter (where state = 'running') as running, sum(missed) as missed,
                sum(published) as published, sum(unchanged) as unchanged, sum(refused) as refused, sum(frozen) as frozen,
                sum(failed) as failed
              from schedule_runs
              where organization_id = \(organization.uuid) and schedule_id = any(\(schedules.map(\.uuid)))
                and due_at >= \(window.lowerBound) and due_at < \(window.upperBound)
              group by 1, 2
            )
            select days.schedule_id, to_char(days.date, 'YYYY-MM-DD') as date, days.runs, lone.id as only_id,
              days.first_at, days.last_at, days.running, days.missed, days.published, days.unchanged, days.refused,
              days.frozen, days.failed
            from days
            left join schedule_runs as lone
              on lone.organization_id = \(organization.uuid) and lone.schedule_id = days.schedule_id
                and lone.due_at = days.first_at and days.runs = 1
            """)
        return try rows.reduce(into: [:]) { days, row in
            let schedule: ID<Schedule> = try row.id("schedule_id")
            let date = try row.decode("date", as: String.self)
            days[schedule, default: [:]][date] = try DayRuns(row: row)
        }
    }

    /// The future due times of active schedules, by day in the reader's time zone.
    private func dueDays(
        of schedules: [Schedule], in window: Range<Date>, _ zone: String
    ) throws -> [ID<Schedule>: [String: [DueTime]]] {
        let now = try clock()
        guard window.upperBound > now else { return [:] }
        let active = schedules.filter { $0.state == .active && !$0.isOften }
        var found: [(schedule: ID<Schedule>, time: DueTime)] = []
        for schedule in active {
            let times = try dueTimes(schedule.settings.expression, in: schedule.settings.zone, within: window)
            found += times.filter { $0.moment > now }.map { (schedule.id, $0) }
        }
        let dates = try database.query(
            """
            select to_char(listed.moment at time zone \(zone), 'YYYY-MM-DD') as date
            from unnest(\(found.map(\.time.moment))) with ordinality as listed (moment, place)
            order by listed.place
            """)
        return try zip(found, dates).reduce(into: [:]) { days, each in
            let date = try each.1.decode("date", as: String.self)
            days[each.0.schedule, default: [:]][date, default: []].append(each.0.time)
        }
    }

}

extension Schedule {
    fileprivate var isOften: Bool { settings.expression.timesADay > ScheduleCalendar.maximumTimesPerDay }
}

extension DayRuns {
    fileprivate init(row: Row) throws {
        count = try row.decode("runs", as: Int.self)
        only = try row.optionalID("only_id")
        first = try row.decode("first_at", as: Date.self)
        last = try row.decode("last_at", as: Date.self)
        running = try row.decode("running", as: Int.self)
        missed = try row.decode("missed", as: Int.self)
        outcomes = try ScheduleOutcome.counts(row: row)
    }
}
