import AASA
import Cron
import FoundationEssentials
import Postgres
import Testing

@testable import Storage

@Suite("Calendar of schedules")
struct ScheduleCalendarTests {
    private func settings(_ name: String, _ expression: String, zone: String) throws -> Schedule.Settings {
        Schedule.Settings(
            name: name, target: .label("mine"), expression: try CronExpression(parsing: expression), zone: zone)
    }

    private func days(_ first: String, _ count: Int, _ zone: String) throws -> CalendarDays {
        CalendarDays(first: try #require(LocalTime(first + " 00:00")), count: count, zone: zone)
    }

    private func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test("a run is on its day in the reader's zone, with the other runs of that day and their outcomes")
    func ran() async throws {
        try await withStore { test in
            let host = try Host("www.example.com")
            let settings = try settings("nightly", "30 23 * * *", zone: "America/New_York")
            let first = try moment("2026-05-10T03:30:00Z")
            let second = try moment("2026-05-10T14:00:00Z")
            let schedule = try await test.write { tenant in
                _ = try tenant.createDomain(host, labels: ["mine"])
                let schedule = try tenant.createSchedule(settings)
                let due = try #require(try tenant.createRun(of: schedule, dueAt: first, kind: .due))
                try tenant.addOutcome(.unchanged, of: host, in: due)
                try tenant.end(due)
                let missed = [DueTime(try #require(LocalTime("2026-05-09 23:30")), moment: first)]
                _ = try tenant.createRun(of: schedule, dueAt: second, kind: .catchUp, missed: missed)
                return schedule
            }
            let runs = try await test.read { try $0.runs(of: schedule.id, Page()).items }
            let inNewYork = try days("2026-05-09", 2, "America/New_York")
            let calendar = try await test.read { try $0.scheduleCalendar(inNewYork, Page()).items }
            #expect(calendar.map(\.schedule.id) == [schedule.id])
            #expect(calendar.first?.days.map(\.date) == ["2026-05-09", "2026-05-10"])
            let ninth = try #require(calendar.first?.days.first?.ran)
            #expect((ninth.count, ninth.only, ninth.running, ninth.missed) == (1, runs.last?.id, 0, 0))
            #expect((ninth.first, ninth.last, ninth.outcomes["unchanged"]) == (first, first, 1))
            let tenth = try #require(calendar.first?.days.last?.ran)
            #expect((tenth.only, tenth.running, tenth.missed) == (runs.first?.id, 1, 1))

            let inTokyo = try days("2026-05-10", 1, "Asia/Tokyo")
            let there = try await test.read { try $0.scheduleCalendar(inTokyo, Page()).items }
            let both = try #require(there.first?.days.first?.ran)
            #expect((both.count, both.only, both.first, both.last) == (2, nil, first, second))
            #expect((both.outcomes["unchanged"], both.missed, both.running) == (1, 1, 1))
            let dayBefore = try days("2026-05-09", 1, "Asia/Tokyo")
            #expect(try await test.read { try $0.scheduleCalendar(dayBefore, Page()).items.first?.days } == [])
        }
    }

    @Test(
        "due times are on the reader's days, also when clocks are changed",
        arguments: [
            ("30 2 * * *", "America/New_York", "2030-03-01"), ("30 1 * * *", "America/New_York", "2030-10-28"),
            ("15 */2 * * *", "Australia/Lord_Howe", "2030-09-25"), ("0 0 29 2 *", "UTC", "2032-02-01"),
            ("*/10 2 * * SUN", "Europe/Berlin", "2030-03-20"), ("0 * * * *", "Pacific/Kiritimati", "2031-12-20"),
        ])
    func due(_ expression: String, _ zone: String, _ first: String) async throws {
        try await withStore { test in
            let settings = try settings("later", expression, zone: zone)
            _ = try await test.write { try $0.createSchedule(settings) }
            for reader in ["UTC", "Pacific/Auckland", "America/Los_Angeles"] {
                let days = try days(first, 42, reader)
                let told = try await test.read { try $0.scheduleCalendar(days, Page()).items }
                let shown = try #require(told.first?.days)
                // The due times that the schedule's job would find, computed in another way.
                let start = try moment(first + "T00:00:00Z").addingTimeInterval(-86_400)
                let run = try await test.read { tenant in
                    try tenant.dueTimes(
                        settings.expression, in: zone, after: tenant.localTime(start, in: zone),
                        until: start.addingTimeInterval(44 * 86_400)
                    ).come
                }
                let dates = try await test.read { tenant in
                    try run.map { String(try tenant.localTime($0.moment, in: reader).description.prefix(10)) }
                }
                let end = start.addingTimeInterval(43 * 86_400).formatted(Date.ISO8601FormatStyle()).prefix(10)
                let expected = zip(dates, run).filter { $0.0 >= first && $0.0 < end }
                #expect(!expected.isEmpty)
                #expect(shown.flatMap { day in day.due.map { _ in day.date } } == expected.map(\.0), "\(reader)")
                #expect(shown.flatMap(\.due) == expected.map(\.1), "\(reader)")
            }
        }
    }

    @Test("past times and paused schedules are not due, and frequent schedules have only runs")
    func notDue() async throws {
        try await withStore { test in
            let all = [
                ("a hourly", "0 * * * *"), ("b often", "*/30 * * * *"), ("c paused", "0 * * * *"),
            ]
            for (name, expression) in all {
                let settings = try settings(name, expression, zone: "UTC")
                let made = try await test.write { try $0.createSchedule(settings) }
                if name == "c paused" {
                    _ = try await test.write { try $0.updateSchedule(made.id, expecting: nil, state: .paused) }
                }
                if name == "b often" { _ = try await test.write { try $0.runNow(made.id) } }
            }
            let now = try await test.read { try $0.clock() }
            let today = try await test.read { String(try $0.localTime(now, in: "UTC").description.prefix(10)) }
            let days = try days(today, 2, "UTC")
            let calendar = try await test.read { try $0.scheduleCalendar(days, Page()).items }
            #expect(calendar.map(\.isOften) == [false, true, false])
            let hourly = try #require(calendar.first).days.flatMap(\.due).map(\.moment)
            #expect(hourly.allSatisfy { $0 > now } && (24...47).contains(hourly.count))
            #expect(calendar[1].days.map(\.date) == [today] && calendar[1].days[0].due.isEmpty)
            #expect(calendar[1].days[0].ran?.count == 1)
            #expect(calendar[2].days == [])
            let last = try await test.read { try $0.lastRuns(of: calendar.map(\.schedule.id)) }
            #expect(Array(last.keys) == [calendar[1].schedule.id])
            let odd = CalendarDays(first: days.first, count: 1, zone: "Mars/Olympus")
            await #expect(throws: StorageError.unknownZone("Mars/Olympus")) {
                try await test.read { try $0.scheduleCalendar(odd, Page()) }
            }
        }
    }

    @Test("a page has few enough schedules to be computed in time, and the next one continues")
    func pages() async throws {
        try await withStore { test in
            let all = try (0...ScheduleCalendar.maximumPageSize).map { number in
                try settings("schedule \(number + 10)", "0 0 29 2 *", zone: "UTC")
            }
            try await test.write { tenant in
                for settings in all { _ = try tenant.createSchedule(settings) }
            }
            let days = try days("2032-02-01", 42, "UTC")
            let first = try await test.read { try $0.scheduleCalendar(days, Page(limit: 200)) }
            let second = try await test.read { try $0.scheduleCalendar(days, Page(limit: 200, after: first.next)) }
            #expect((first.items + second.items).map(\.schedule.settings) == all)
            #expect((second.items.count, second.next) == (1, nil))
            #expect(second.items.flatMap(\.days).map(\.date) == ["2032-02-29"])
        }
    }

    @Test("the schedules of a domain are those for its host and for its labels")
    func publishing() async throws {
        try await withStore { test in
            let (host, other) = (try Host("a.example.com"), try Host("b.example.com"))
            let alias = try Host("c.example.com")
            let expression = try CronExpression(parsing: "@daily")
            try await test.write { tenant in
                _ = try tenant.createDomain(host, labels: ["mine", "more"])
                _ = try tenant.createDomain(other)
                _ = try tenant.createDomain(alias, aliasOf: other, labels: ["mine"])
                let targets: [(String, Schedule.Target)] = [
                    ("1", .domain(host)), ("2", .label("mine")), ("3", .label("none")), ("4", .domain(other)),
                ]
                for (name, target) in targets {
                    _ = try tenant.createSchedule(
                        Schedule.Settings(name: name, target: target, expression: expression, zone: "UTC"))
                }
            }
            for (asked, names) in [(host, ["1", "2"]), (other, ["4"]), (alias, [])] {
                let found = try await test.read { try $0.schedules(Page(), publishing: asked).items }
                #expect(found.map(\.settings.name) == names, "\(asked)")
            }
            let page = try await test.read { try $0.schedules(Page(limit: 1), publishing: host) }
            #expect((page.items.map(\.settings.name), page.next) == (["1"], "1"))
        }
    }

    @Test("the runs of a schedule can be limited to those due between two times")
    func within() async throws {
        try await withStore { test in
            let settings = try settings("nightly", "@daily", zone: "UTC")
            let times = try ["2026-05-01", "2026-05-02", "2026-05-03"].map { try moment($0 + "T00:00:00Z") }
            let schedule = try await test.write { tenant in
                let schedule = try tenant.createSchedule(settings)
                for time in times { _ = try tenant.createRun(of: schedule, dueAt: time, kind: .due) }
                return schedule
            }
            func due(_ from: Date?, _ until: Date?) async throws -> [Date] {
                try await test.read {
                    try $0.runs(of: schedule.id, Page(), from: from, until: until).items.map(\.dueAt)
                }
            }
            #expect(try await due(nil, nil) == times.reversed())
            #expect(try await due(times[1], nil) == [times[2], times[1]])
            #expect(try await due(times[0], times[2]) == [times[1], times[0]])
            #expect(try await due(times[1], times[1]) == [])
        }
    }
}
