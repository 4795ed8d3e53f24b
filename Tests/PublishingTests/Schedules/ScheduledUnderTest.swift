import Cron
import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// A schedule under test. Its clock is turned by changing the time up to which it was handled.
struct Scheduled {
    let test: PublishingUnderTest
    let schedule: Schedule

    /// A schedule that was due this many minutes ago and is due again tomorrow.
    init(
        _ test: PublishingUnderTest, _ target: Schedule.Target, minutesAgo: Int = 10, catchUpSeconds: Int = 3_600
    ) async throws {
        let now = try await test.read { try $0.clock() }
        let due = try #require(LocalTime(now.addingTimeInterval(Double(-60 * minutesAgo)).minuteInUTC))
        let settings = Schedule.Settings(
            name: "nightly", target: target, expression: try CronExpression(parsing: "\(due.minute) \(due.hour) * * *"),
            zone: "UTC", message: "as every night", catchUpSeconds: catchUpSeconds)
        schedule = try await test.write { try $0.createSchedule(settings) }
        self.test = test
        try await turnBack(days: 1)
    }

    /// As if the schedule had last been handled this many days ago, and its job had just become due.
    func turnBack(days: Int) async throws {
        try await test.asSuperuser { database in
            _ = try database.execute(
                "update schedules set handled_until = handled_until - make_interval(days => \(days)::integer)")
            _ = try database.execute("update jobs set due_at = now() where kind = 'schedule'")
        }
    }

    func work() async throws {
        while try await test.workOnSchedules.workOnce() {}
    }

    func now() async throws -> Schedule {
        let id = schedule.id
        return try await test.read { try $0.schedule(id) }
    }

    func runs() async throws -> [ScheduleRun] {
        let id = schedule.id
        return try await test.read { try $0.runs(of: id, Page()).items }
    }

    func outcomes(_ run: ScheduleRun? = nil) async throws -> [ScheduleOutcome] {
        let newest = try await runs().first
        let run = try #require(run ?? newest)
        return try await test.read { try $0.outcomes(of: run, Page()).items }
    }

    /// A job of a kind, claimed like a worker does.
    func claim(_ kind: Job.Kind, leaseSeconds: Int = 600) async throws -> Job {
        try #require(
            try await test.store.write { try $0.claimJob(of: [kind], leaseSeconds: leaseSeconds) })
    }
}

extension Date {
    /// `2026-11-22 10:01`
    fileprivate var minuteInUTC: String {
        String(formatted(.iso8601).prefix(16)).replacing("T", with: " ")
    }
}

extension PublishingUnderTest {
    var scheduleHandler: ScheduleHandler { ScheduleHandler(store: store, logger: TestCluster.silent) }
    var runHandler: RunHandler { RunHandler(store: store, logger: TestCluster.silent) }

    var workOnSchedules: JobWorker {
        JobWorker(
            store: store, handlers: [.publish: handler, .schedule: scheduleHandler, .run: runHandler],
            doorbell: Doorbell(), logger: TestCluster.silent, leaseSeconds: 10)
    }

    /// Makes all jobs of a kind due.
    func makeDue(_ kind: String) async throws {
        try await asSuperuser { _ = try $0.execute("update jobs set due_at = now() where kind = \(kind)") }
    }
}
