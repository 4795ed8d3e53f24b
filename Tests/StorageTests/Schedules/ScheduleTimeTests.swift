import Cron
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import Storage

/// A zone, a local time, its UTC time by the tz database, and how often clocks show it there.
private let readings: [(zone: String, local: String, moment: String, occurs: DueTime.Occurrence)] = [
    ("America/New_York", "2026-03-08 01:59", "2026-03-08T06:59:00Z", .once),
    ("America/New_York", "2026-03-08 02:00", "2026-03-08T07:00:00Z", .never),
    ("America/New_York", "2026-03-08 02:59", "2026-03-08T07:00:00Z", .never),
    ("America/New_York", "2026-03-08 03:00", "2026-03-08T07:00:00Z", .once),
    ("America/New_York", "2026-11-01 00:59", "2026-11-01T04:59:00Z", .once),
    ("America/New_York", "2026-11-01 01:00", "2026-11-01T05:00:00Z", .twice),
    ("America/New_York", "2026-11-01 01:59", "2026-11-01T05:59:00Z", .twice),
    ("America/New_York", "2026-11-01 02:00", "2026-11-01T07:00:00Z", .once),
    // Clocks change by half an hour.
    ("Australia/Lord_Howe", "2026-10-04 01:59", "2026-10-03T15:29:00Z", .once),
    ("Australia/Lord_Howe", "2026-10-04 02:00", "2026-10-03T15:30:00Z", .never),
    ("Australia/Lord_Howe", "2026-10-04 02:29", "2026-10-03T15:30:00Z", .never),
    ("Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-03T15:30:00Z", .once),
    ("Australia/Lord_Howe", "2026-04-05 01:29", "2026-04-04T14:29:00Z", .once),
    ("Australia/Lord_Howe", "2026-04-05 01:30", "2026-04-04T14:30:00Z", .twice),
    ("Australia/Lord_Howe", "2026-04-05 01:59", "2026-04-04T14:59:00Z", .twice),
    ("Australia/Lord_Howe", "2026-04-05 02:00", "2026-04-04T15:30:00Z", .once),
    // A whole day was skipped.
    ("Pacific/Apia", "2011-12-29 23:59", "2011-12-30T09:59:00Z", .once),
    ("Pacific/Apia", "2011-12-30 00:00", "2011-12-30T10:00:00Z", .never),
    ("Pacific/Apia", "2011-12-30 23:59", "2011-12-30T10:00:00Z", .never),
    ("Pacific/Apia", "2011-12-31 00:00", "2011-12-30T10:00:00Z", .once),
    ("Pacific/Kwajalein", "1993-08-21 12:00", "1993-08-21T12:00:00Z", .never),
    // Rules that follow the moon, a gap at midnight, a change of two hours, and winter time below standard time.
    ("Africa/Casablanca", "2026-02-15 02:30", "2026-02-15T01:30:00Z", .twice),
    ("Africa/Casablanca", "2026-03-22 02:30", "2026-03-22T02:00:00Z", .never),
    ("America/Sao_Paulo", "2018-11-04 00:00", "2018-11-04T03:00:00Z", .never),
    ("America/Sao_Paulo", "2018-02-17 23:30", "2018-02-18T01:30:00Z", .twice),
    ("Antarctica/Troll", "2026-03-29 02:59", "2026-03-29T01:00:00Z", .never),
    ("Antarctica/Troll", "2026-10-25 01:00", "2026-10-24T23:00:00Z", .twice),
    ("Europe/Dublin", "2026-03-29 01:30", "2026-03-29T01:00:00Z", .never),
    ("Europe/Dublin", "2026-10-25 01:30", "2026-10-25T00:30:00Z", .twice),
    ("Asia/Kathmandu", "2026-03-29 01:30", "2026-03-28T19:45:00Z", .once),
    ("Pacific/Kiritimati", "2026-01-01 00:00", "2025-12-31T10:00:00Z", .once),
    ("Etc/GMT+12", "2026-01-01 00:00", "2026-01-01T12:00:00Z", .once),
    ("UTC", "2028-02-29 12:00", "2028-02-29T12:00:00Z", .once),
]

@Suite("Local times in zones")
struct ScheduleTimeTests {
    private func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func dueTimes(
        _ expression: String, _ zone: String, after start: String, until now: String, _ test: StoreUnderTest
    ) async throws -> (come: [String], handledUntil: String, next: String) {
        let expression = try CronExpression(parsing: expression)
        let (start, now) = (try #require(LocalTime(start)), try moment(now))
        let times = try await test.read {
            try $0.dueTimes(expression, in: zone, after: start, until: now)
        }
        return (
            times.come.map { $0.moment.formatted(.iso8601) }, times.handledUntil.description,
            times.next?.moment.formatted(.iso8601) ?? ""
        )
    }

    @Test("a local time that occurs twice counts the first time, and a skipped one right after the gap")
    func oneMoment() async throws {
        try await withStore { test in
            for (zone, local, expected, occurs) in readings {
                let row = try await test.database.runtime.read { database in
                    try database.query("select moment, occurs from moment_of(\(local)::timestamp, \(zone))").map {
                        (try $0.decode("moment", as: Date.self), try $0.decode("occurs", as: String.self))
                    }
                }
                #expect(row.first?.0.formatted(.iso8601) == expected, "\(zone) \(local)")
                #expect(row.first?.1 == occurs.rawValue, "\(zone) \(local)")
            }
        }
    }

    @Test(
        "every quarter of an hour of a year is converted as the zone's clocks show it",
        arguments: [
            ("America/New_York", 2026), ("Australia/Lord_Howe", 2026), ("Africa/Casablanca", 2026),
            ("Antarctica/Troll", 2026), ("Asia/Kathmandu", 2026), ("Pacific/Apia", 2011), ("America/Sao_Paulo", 2018),
        ])
    func everyMoment(zone: String, year: Int) async throws {
        try await withStore { test in
            let first = "\(year)-01-01 00:00"
            let differing = try await test.database.runtime.read { database in
                try database.query(
                    """
                    with clocks as (
                      select clock.moment, clock.moment at time zone \(zone) as local_time
                      from generate_series(
                        \(first)::timestamp at time zone 'UTC' - interval '2 days',
                        \(first)::timestamp at time zone 'UTC' + interval '367 days', interval '15 minutes'
                      ) as clock (moment)
                    ),
                    shown as (
                      select local_time, min(moment) as moment, count(*) as times from clocks group by local_time
                    )
                    select asked.local_time::text as local_time
                    from generate_series(
                      \(first)::timestamp, \(first)::timestamp + interval '1 year', interval '15 minutes'
                    ) as asked (local_time)
                    left join shown on shown.local_time = asked.local_time
                    cross join lateral moment_of(asked.local_time, \(zone)) as read
                    where read.occurs
                        <> case coalesce(shown.times, 0) when 0 then 'never' when 1 then 'once' else 'twice' end
                      or read.moment <> coalesce(
                        shown.moment,
                        (select min(clocks.moment) from clocks where clocks.local_time > asked.local_time))
                    """
                ).map { try $0.decode("local_time", as: String.self) }
            }
            #expect(differing == [])
        }
    }

    @Test("a skipped time is due once, right after the gap")
    func gap() async throws {
        try await withStore { test in
            let times = try await dueTimes(
                "*/15 * * * *", "America/New_York", after: "2026-03-08 01:30", until: "2026-03-08T07:20:00Z", test)
            #expect(times.come == ["2026-03-08T06:45:00Z", "2026-03-08T07:00:00Z", "2026-03-08T07:15:00Z"])
            #expect(times.handledUntil == "2026-03-08 03:15")
            #expect(times.next == "2026-03-08T07:30:00Z")
            let day = try await dueTimes(
                "0 9 * * *", "Pacific/Apia", after: "2011-12-29 09:00", until: "2011-12-30T10:00:00Z", test)
            #expect(day.come == ["2011-12-30T10:00:00Z"])
            #expect(day.next == "2011-12-30T19:00:00Z", "9 o'clock on the 31st")
        }
    }

    @Test("a repeated time is due once, the first time")
    func overlap() async throws {
        try await withStore { test in
            let times = try await dueTimes(
                "*/30 * * * *", "America/New_York", after: "2026-11-01 00:30", until: "2026-11-01T07:45:00Z", test)
            #expect(
                times.come == [
                    "2026-11-01T05:00:00Z", "2026-11-01T05:30:00Z", "2026-11-01T07:00:00Z", "2026-11-01T07:30:00Z",
                ])
            #expect(times.next == "2026-11-01T08:00:00Z")
            // Clocks show 01:40 for the second time, so 01:45 was due an hour ago.
            let second = try await dueTimes(
                "*/15 * * * *", "America/New_York", after: "2026-11-01 01:40", until: "2026-11-01T06:40:00Z", test)
            #expect(second.come == ["2026-11-01T05:45:00Z"])
            #expect(second.next == "2026-11-01T07:00:00Z")
        }
    }

    @Test("if there are too many due times, only those of the last days are processed, up to the last one")
    func many() async throws {
        try await withStore { test in
            let times = try await dueTimes(
                "* * * * *", "UTC", after: "2020-01-01 00:00", until: "2026-11-22T10:00:30Z", test)
            #expect((11_000...12_000).contains(times.come.count), "\(times.come.count)")
            #expect(times.come.last == "2026-11-22T10:00:00Z")
            #expect(times.next == "2026-11-22T10:01:00Z")
            let few = try await dueTimes(
                "@yearly", "UTC", after: "1000-06-01 00:00", until: "2026-11-22T10:00:30Z", test)
            #expect(few.come.count == 1_026)
        }
    }

    @Test("a preview starts after now, has each time once, and accepts the zones that PostgreSQL knows")
    func preview() async throws {
        try await withStore { test in
            let expression = try CronExpression(parsing: "*/10 * * * *")
            let now = try await test.read { try $0.clock() }
            let times = try await test.read { try $0.preview(expression, in: "America/New_York", count: 50) }
            #expect(times.count == 50)
            #expect(times.allSatisfy { $0.moment > now })
            #expect(zip(times, times.dropFirst()).allSatisfy { $0.moment < $1.moment })
            #expect((times.first?.moment.timeIntervalSince(now) ?? 0) < 2 * 3_600)
            #expect(times.allSatisfy { [-14_400, -18_000].contains($0.offset) })
            for zone in ["Mars/Olympus", "posix/UTC", "Factory", "localtime", "", "CET", "EET", "MET", "WET"] {
                await #expect(throws: StorageError.unknownZone(zone)) {
                    try await test.read { try $0.preview(expression, in: zone, count: 1) }
                }
            }
        }
    }
}
