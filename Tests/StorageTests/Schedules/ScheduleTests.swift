import AASA
import Cron
import FoundationEssentials
import Postgres
import StrictJSON
import Testing

@testable import Storage

@Suite("Schedules")
struct ScheduleTests {
    private func settings(
        _ name: String = "nightly", _ target: Schedule.Target = .label("mine"), _ expression: String = "@daily",
        zone: String = "UTC"
    ) throws -> Schedule.Settings {
        Schedule.Settings(name: name, target: target, expression: try CronExpression(parsing: expression), zone: zone)
    }

    /// All jobs: the kind, and whether they are due at the schedule's next time or in a day.
    private func jobs(_ test: StoreUnderTest) async throws -> [String] {
        try await test.asSuperuser { database in
            try database.query(
                """
                select jobs.kind || ' ' || coalesce(jobs.due_at = schedules.next_due_at, false) as line
                from jobs left join schedules on schedules.id = jobs.key order by jobs.id
                """
            ).map { try $0.decode("line", as: String.self) }
        }
    }

    @Test(
        "a schedule is created with its job, changed by revision, paused, resumed and deleted, each with an entry in the trail"
    )
    func life() async throws {
        try await withStore { test in
            let settings = try settings()
            let made = try await test.write { try $0.createSchedule(settings) }
            #expect((made.revision, made.state, made.settings) == (1, .active, settings))
            let due = try #require(made.nextDueAt)
            let now = try await test.read { try $0.clock() }
            #expect(due > now && due.timeIntervalSince(now) <= 86_400)
            #expect(try await jobs(test) == ["schedule true"])
            #expect(try await test.read { try $0.schedules(Page()).items } == [made])

            let hourly = try CronExpression(parsing: "@hourly")
            await #expect(throws: StorageError.scheduleMoved(current: 1)) {
                try await test.write { try $0.updateSchedule(made.id, expecting: 2) }
            }
            let changed = try await test.write { tenant in
                try tenant.updateSchedule(made.id, expecting: 1) { old in
                    var new = old
                    new.expression = hourly
                    return new
                }
            }
            #expect((changed.revision, changed.settings.expression) == (2, hourly))
            #expect(try #require(changed.nextDueAt).timeIntervalSince(now) <= 3_601)
            #expect(try await jobs(test) == ["schedule true"])

            let paused = try await test.write {
                try $0.updateSchedule(made.id, expecting: nil, state: .paused, reason: "holidays")
            }
            #expect((paused.state, paused.reason, paused.nextDueAt) == (.paused, "holidays", nil))
            #expect(try await jobs(test) == [])
            let resumed = try await test.write { try $0.updateSchedule(made.id, expecting: 3, state: .active) }
            #expect((resumed.state, resumed.reason, resumed.nextDueAt) == (.active, nil, changed.nextDueAt))
            #expect(try await jobs(test) == ["schedule true"])
            _ = try await test.write { try $0.runNow(made.id) }
            #expect(try await jobs(test) == ["schedule true", "run false"])
            try await test.write { try $0.deleteSchedule(made.id, expecting: nil) }
            #expect(try await jobs(test) == [])
            await #expect(throws: StorageError.notFound(kind: "schedule", key: made.id.description)) {
                try await test.read { try $0.schedule(made.id) }
            }
            let actions = try await test.trail().filter { $0.hasSuffix(" nightly") }
            let changes = ["created", "changed", "paused", "resumed"].map { "schedule.\($0)" }
            let kinds = changes + ["run.started", "schedule.deleted"]
            #expect(actions == kinds.map { "user ada@example.com \($0) nightly" })
        }
    }

    @Test("a change without a difference keeps the revision, and adds no event")
    func unchangedSettings() async throws {
        try await withStore { test in
            let settings = try settings()
            let made = try await test.write { try $0.createSchedule(settings) }
            #expect(try await test.write { try $0.updateSchedule(made.id, expecting: 1) } == made)
            #expect(try await test.write { try $0.updateSchedule(made.id, expecting: 1, state: .active) } == made)
            let paused = try await test.write {
                try $0.updateSchedule(made.id, expecting: 1, state: .paused, reason: "holidays")
            }
            #expect(try await test.write { try $0.updateSchedule(made.id, expecting: 2, state: .paused) } == paused)
            let other = try await test.write {
                try $0.updateSchedule(made.id, expecting: 2, state: .paused, reason: "illness")
            }
            #expect((other.revision, other.reason) == (3, "illness"))
            let actions = try await test.trail().filter { $0.hasSuffix(" nightly") }
            let kinds = ["created", "paused", "changed"].map { "schedule.\($0)" }
            #expect(actions == kinds.map { "user ada@example.com \($0) nightly" })
        }
    }

    @Test("a schedule is overdue when it is more than a minute late by the database's clock")
    func overdue() async throws {
        try await withStore { test in
            let settings = try settings()
            let made = try await test.write { try $0.createSchedule(settings) }
            #expect(!made.isOverdue)
            for (seconds, isOverdue) in [(-50, false), (-70, true), (70, false)] {
                try await test.asSuperuser {
                    _ = try $0.execute("update schedules set next_due_at = now() + \(seconds) * interval '1 second'")
                }
                #expect(try await test.read { try $0.schedule(made.id) }.isOverdue == isOverdue, "\(seconds)")
            }
            let paused = try await test.write { try $0.updateSchedule(made.id, expecting: nil, state: .paused) }
            #expect(!paused.isOverdue)
        }
    }

    @Test("a due time more than a day ahead is checked after a day, so that changed rules of its zone are noticed")
    func lookedAtDaily() async throws {
        try await withStore { test in
            // Several months from now, whatever the current month.
            let month = (Calendar(identifier: .gregorian).component(.month, from: Date()) + 5) % 12 + 1
            let settings = try settings("yearly", .label("mine"), "0 0 15 \(month) *")
            let made = try await test.write { try $0.createSchedule(settings) }
            #expect(try #require(made.nextDueAt).timeIntervalSince(made.createdAt) > 86_400)
            #expect(try await jobs(test) == ["schedule false"])
            let ahead = try await test.store.read { try $0.nextJobDue() }
            #expect(try #require(ahead) <= .seconds(86_400) && #require(ahead) > .seconds(86_300))
        }
    }

    @Test("a schedule is refused for a taken name, an unknown zone, an unknown domain or an alias")
    func refused() async throws {
        try await withStore { test in
            let (host, alias) = (try Host("www.example.com"), try Host("alias.example.com"))
            try await test.write { tenant in
                _ = try tenant.createDomain(host)
                _ = try tenant.createDomain(alias, aliasOf: host)
            }
            let first = try settings("first", .domain(host))
            _ = try await test.write { try $0.createSchedule(first) }
            let cases: [(Schedule.Settings, StorageError)] = [
                (first, .exists(kind: "schedule")),
                (try settings("x", zone: "Mars/Olympus"), .unknownZone("Mars/Olympus")),
                (
                    try settings("x", .domain(Host("none.example.com"))),
                    .scheduleRefused(because: "there is no domain none.example.com")
                ),
                (
                    try settings("x", .domain(alias)),
                    .scheduleRefused(because: "\(alias) is an alias; schedule \(host), whose file it serves")
                ),
            ]
            for (settings, error) in cases {
                await #expect(throws: error) { try await test.write { try $0.createSchedule(settings) } }
            }
            let twice = try settings("x", .domain(Host("none.example.com")), zone: "Mars/Olympus")
            let faults = [cases[1].1, cases[2].1]
            await #expect(throws: StorageError.several(faults)) {
                try await test.write { try $0.createSchedule(twice) }
            }
            try await test.write { try $0.deleteDomain(alias, as: .publisher) }
            await #expect(throws: StorageError.inUse(kind: "domain", usedBy: ["the schedule first"])) {
                try await test.write { try $0.deleteDomain(host) }
            }
        }
    }

    @Test("an organization has a limit of schedules")
    func limit() async throws {
        try await withStore { test in
            let base = try settings()
            _ = try await test.write { try $0.createSchedule(base) }
            try await test.asSuperuser { database in
                _ = try database.execute(
                    """
                    insert into schedules
                    select (jsonb_populate_record(made, jsonb_build_object('id', gen_random_uuid(), 'name', 'copy ' || n))).*
                    from schedules made, generate_series(2, \(Schedule.maximum)) n
                    """)
            }
            await #expect(throws: StorageError.tooManySchedules) {
                try await test.write { try $0.createSchedule(base) }
            }
        }
    }

    @Test("each due time has one run, with the domains that have the label then, without aliases")
    func runOnce() async throws {
        try await withStore { test in
            let hosts = try ["a", "b", "c"].map { try Host("\($0).example.com") }
            try await test.write { tenant in
                for host in hosts { _ = try tenant.createDomain(host, labels: host == hosts[2] ? [] : ["mine"]) }
                _ = try tenant.createDomain(try Host("d.example.com"), aliasOf: hosts[0], labels: ["mine"])
            }
            let settings = try settings()
            let schedule = try await test.write { try $0.createSchedule(settings) }
            let due = Date(timeIntervalSince1970: 1_800_000_000)
            let run = try #require(
                try await test.write { try $0.createRun(of: schedule, dueAt: due, kind: .due) })
            #expect(try await test.write { try $0.createRun(of: schedule, dueAt: due, kind: .catchUp) } == nil)
            #expect(try await test.read { try $0.runs(of: schedule.id, Page()).items } == [run])
            #expect((run.hostCount, run.kind, run.state, run.missed) == (2, .due, .running, 0))
            #expect(try await test.read { try $0.openHosts(of: run, limit: 10) } == [hosts[0], hosts[1]])
            try await test.write { try $0.addOutcome(.unchanged, of: hosts[0], in: run) }
            #expect(try await test.read { try $0.openHosts(of: run, limit: 10) } == [hosts[1]])
            await #expect(throws: JobLost.self, "it has its outcome") {
                try await test.write { try $0.addOutcome(.failed(because: "x"), of: hosts[0], in: run) }
            }
            try await test.write { try $0.end(run, failingRest: "given up") }
            let outcomes = try await test.read { try $0.outcomes(of: run, Page()).items }
            #expect(outcomes.map(\.host) == [hosts[1]], "what is unchanged is counted alone")
            #expect(outcomes.map(\.kind) == [.failed(because: "given up")])
            let ended = try await test.read { try $0.run(run.id, of: schedule.id) }
            #expect(ended.state == .ended && ended.endedAt != nil && ended.hostCount == 2)
            #expect(ended.outcomes == ["published": 0, "unchanged": 1, "refused": 0, "frozen": 0, "failed": 1])
            await #expect(throws: PostgresError.self) {
                try await test.asSuperuser { try $0.execute("update schedule_outcomes set cause = 'other'") }
            }
        }
    }

    @Test("unchanged domains are exactly those whose drafts generate the live file")
    func unchanged() async throws {
        try await withStore { test in
            let names = ["live", "changed", "unpublished", "unverified", "alias"]
            let hosts = try names.map { try Host("\($0).example.com") }
            try await test.write { tenant in
                for host in hosts.prefix(3) { try tenant.addVerified(host) }
                _ = try tenant.createDomain(hosts[3])
                for host in hosts.prefix(2) {
                    let draft = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.draft(host))
                    let version = try tenant.freeze(
                        draft.draft.association().bytes, of: host, draftRevision: draft.revision, message: "",
                        report: Sample.report)
                    _ = try tenant.activate(version, of: host, expecting: .anything)
                }
                _ = try tenant.saveDraft(Sample.draft(path: "/2"), of: hosts[1], replacing: tenant.draft(hosts[1]))
                _ = try tenant.createDomain(hosts[4], aliasOf: hosts[0], as: .publisher)
                _ = try tenant.claim(hosts[4])
            }
            #expect(try await test.read { try $0.unchanged(among: hosts) } == [hosts[0]])
            let others = Array(hosts.dropFirst())
            #expect(try await test.read { try $0.unchanged(among: others) } == [])
        }
    }

    @Test("a freeze covers domains by their labels, or all of them, until it ends or is lifted")
    func freezes() async throws {
        try await withStore { test in
            let (host, other) = (try Host("a.example.com"), try Host("b.example.com"))
            try await test.write { tenant in
                _ = try tenant.createDomain(host, labels: ["mine"])
                _ = try tenant.createDomain(other)
            }
            let end = try await test.read { try $0.clock() }.addingTimeInterval(3_600)
            for odd in [end.addingTimeInterval(-3_700), end.addingTimeInterval(400 * 86_400)] {
                await #expect(throws: StorageError.self) {
                    try await test.write { try $0.createFreeze(label: nil, reason: "x", endsAt: odd) }
                }
            }
            let freeze = try await test.write { try $0.createFreeze(label: "mine", reason: "sale", endsAt: end) }
            #expect(freeze.isCurrent)
            #expect(try await test.read { try $0.domain(host).freeze } == freeze)
            #expect(try await test.read { try $0.domain(other).freeze } == nil)
            #expect(try await test.read { try $0.freezes(covering: [host, other]) } == [host: freeze])
            let targets: [Schedule.Target] = [.label("mine"), .label("other"), .domain(host), .domain(other)]
            let expected: [Schedule.Target: Freeze] = [.label("mine"): freeze, .domain(host): freeze]
            #expect(try await test.read { try $0.freezes(covering: targets) } == expected)
            let later = end.addingTimeInterval(60)
            let all = try await test.write { try $0.createFreeze(label: nil, reason: "all", endsAt: later) }
            #expect(try await test.read { try $0.domain(host).freeze } == all, "the one that goes on longest")
            #expect(try await test.read { try $0.domain(other).freeze } == all)
            let covering = try await test.read { try $0.freezes(covering: targets) }
            #expect(targets.map { covering[$0] } == targets.map { _ in all })
            #expect(try await test.read { try $0.freezes(Page(), isCurrent: true).items } == [all, freeze])
            let lifted = try await test.write { try $0.liftFreeze(all.id) }
            #expect(!lifted.isCurrent && lifted.lifter == StoreUnderTest.author)
            await #expect(throws: StorageError.freezeEnded) { try await test.write { try $0.liftFreeze(all.id) } }
            #expect(try await test.read { try $0.domain(host).freeze } == freeze)
            #expect(try await test.read { try $0.freezes(Page(), isCurrent: false).items.map(\.id) } == [all.id])
            try await test.asSuperuser {
                _ = try $0.execute(
                    "update freezes set created_at = now() - interval '2 s', ends_at = now() - interval '1 s'")
            }
            #expect(try await test.read { try $0.domain(host).freeze } == nil)
            await #expect(throws: StorageError.freezeEnded) { try await test.write { try $0.liftFreeze(freeze.id) } }
        }
    }

    @Test("an organization has at most a hundred active freezes")
    func maximumFreezes() async throws {
        try await withStore { test in
            let end = try await test.read { try $0.clock() }.addingTimeInterval(3_600)
            func begin() async throws -> Freeze {
                try await test.write { try $0.createFreeze(label: nil, reason: "x", endsAt: end) }
            }
            let first = try await begin()
            for _ in 1..<Freeze.maximumActive { _ = try await begin() }
            await #expect(throws: StorageError.tooManyFreezes) { _ = try await begin() }
            _ = try await test.write { try $0.liftFreeze(first.id) }
            _ = try await begin()
        }
    }
}
