import AASA
import Cron
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

@Suite("Schedule handler", .timeLimit(.minutes(3)))
struct ScheduleHandlerTests {
    @Test("changed drafts are published, unchanged ones are left, refused ones are reported, and the others continue")
    func outcomes() async throws {
        try await withPublishing { test in
            let names = ["changed", "refused", "unchanged", "unverified"]
            let hosts = try names.map { try Host("\($0).example.com") }
            for name in names {
                let host = try await test.addDomain(name, claimed: name != "unverified")
                _ = try await test.write { try $0.updateDomain(host, aliasOf: nil, labels: ["mine"]) }
                if name != "unverified" { try await test.goLive(host, path: "/1") }
            }
            try await test.draft(hosts[0], Sample.draft(path: "/2"))
            try await test.draft(hosts[1], Draft(entries: []))
            let scheduled = try await Scheduled(test, .label("mine"))
            try await scheduled.work()
            let run = try #require(try await scheduled.runs().first)
            #expect((run.state, run.hostCount, run.kind, run.missed) == (.ended, 4, .catchUp, 0))
            let outcomes = try await scheduled.outcomes()
            #expect(outcomes.map(\.host) == [hosts[0], hosts[1], hosts[3]], "what is unchanged is counted alone")
            #expect(outcomes.map(\.kind.name) == ["published", "refused", "refused"])
            #expect(run.outcomes == ["published": 1, "unchanged": 1, "refused": 2, "frozen": 0, "failed": 0])
            guard case .published(let id) = outcomes[0].kind, case .refused(let report) = outcomes[1].kind else {
                Issue.record("\(outcomes)")
                return
            }
            let publication = try await test.read { try $0.publication(id, of: hosts[0]) }
            #expect((publication.state, publication.message) == (.live, "as every night"))
            #expect(publication.requester == Author(kind: .system, name: "schedule nightly"))
            #expect(report["passed"] == false)
            #expect(try await test.read { try $0.versions(hosts[1], Page()).items.count } == 1, "no number was used")
            #expect(try await test.read { try $0.domain(hosts[1]).live?.version } == 1)
            #expect(try await test.store.read { try $0.jobCount() } == 1, "the schedule's own")
        }
    }

    @Test("after several missed due times, only the last one runs and counts the others; the next is tomorrow")
    func missed() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host))
            try await scheduled.turnBack(days: 4)
            try await scheduled.work()
            let run = try #require(try await scheduled.runs().first)
            #expect(try await scheduled.runs().count == 1)
            #expect((run.kind, run.missed) == (.catchUp, 4))
            #expect(run.firstMissedAt == run.dueAt.addingTimeInterval(-4 * 86_400))
            #expect(try await scheduled.now().nextDueAt == run.dueAt.addingTimeInterval(86_400))
            try await test.makeDue("schedule")
            try await scheduled.work()
            #expect(try await scheduled.runs().count == 1, "nothing has come since")
        }
    }

    @Test("a due time older than the catch-up time suspends the schedule until a user resumes it")
    func suspended() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host), minutesAgo: 10, catchUpSeconds: 300)
            try await scheduled.work()
            #expect(try await scheduled.runs() == [])
            let suspended = try await scheduled.now()
            #expect((suspended.state, suspended.nextDueAt) == (.suspended, nil))
            #expect(suspended.reason?.contains("the catch-up time of 300 seconds") == true)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
            let id = scheduled.schedule.id
            let resumed = try await test.write { try $0.updateSchedule(id, expecting: nil, state: .active) }
            #expect((resumed.state, resumed.reason) == (.active, nil))
            try await scheduled.work()
            #expect(try await scheduled.runs() == [], "earlier due times are skipped")
        }
    }

    @Test("decisions about past due times")
    func decisions() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let cases: [(late: [Double], window: Int, kind: ScheduleRun.Kind?, missed: Int)] = [
            ([0], 0, .due, 0), ([60], 0, .due, 0), ([61], 0, nil, 0), ([61], 61, .catchUp, 0), ([62], 61, nil, 0),
            ([7_200, 3_600, 30], 0, .due, 2), ([90_000, 3_600], 3_600, .catchUp, 1), ([90_000, 3_601], 3_600, nil, 1),
        ]
        let local = try #require(LocalTime("2027-01-15 08:00"))
        for (late, window, kind, missed) in cases {
            let times = late.map { DueTime(local, moment: now.addingTimeInterval(-$0)) }
            switch MissedRuns(catchUpSeconds: window).decide(about: times, at: now) {
            case .run(let dueAt, let found, let passed):
                #expect(found == kind && passed.count == missed, "\(late)")
                #expect(dueAt == times.last?.moment)
            case .suspend: #expect(kind == nil, "\(late)")
            case .wait: Issue.record("\(late)")
            }
        }
        #expect(MissedRuns(catchUpSeconds: 0).decide(about: [], at: now) == .wait)
    }

    @Test("two workers with the same due time create one run, even if one of them has lost its lease")
    func fenced() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host))
            let old = try await scheduled.claim(.schedule, leaseSeconds: 0)
            let new = try await scheduled.claim(.schedule)
            await #expect(throws: JobLost.self) { try await test.scheduleHandler.handle(old) }
            #expect(try await scheduled.runs() == [])
            try await test.scheduleHandler.handle(new)
            try await test.scheduleHandler.handle(new)
            #expect(try await scheduled.runs().count == 1)
            let id = scheduled.schedule.id
            _ = try await test.write { try $0.updateSchedule(id, expecting: nil, state: .paused) }
            await #expect(throws: JobLost.self) { try await test.scheduleHandler.handle(new) }
        }
    }

    @Test("a run continues where another worker left it, and nothing is published twice")
    func resumed() async throws {
        try await withPublishing { test in
            var hosts: [Host] = []
            for number in 1...3 {
                let host = try await test.addDomain("host\(number)")
                _ = try await test.write { try $0.updateDomain(host, aliasOf: nil, labels: ["mine"]) }
                hosts.append(host)
            }
            let scheduled = try await Scheduled(test, .label("mine"))
            try await test.scheduleHandler.handle(scheduled.claim(.schedule))
            let run = try #require(try await scheduled.runs().first)
            // Like a worker that died after the first domain.
            let dead = try await scheduled.claim(.run, leaseSeconds: 0)
            let first = hosts[0]
            try await test.write { tenant in
                try tenant.advance(dead)
                try tenant.addOutcome(.unchanged, of: first, in: run)
            }
            let job = try await scheduled.claim(.run)
            #expect((job.attempts, job.token) == (2, 2))
            await #expect(throws: JobLost.self) { try await test.runHandler.handle(dead) }
            #expect(try await scheduled.outcomes() == [], "who lost the job has settled nothing")
            try await test.runHandler.handle(job)
            #expect(try await scheduled.outcomes().map(\.kind.name) == ["published", "published"])
            let ended = try #require(try await scheduled.runs().first)
            #expect((ended.state, ended.outcomes["unchanged"], ended.outcomes["published"]) == (.ended, 1, 2))
            await #expect(throws: JobLost.self) { try await test.runHandler.handle(job) }
            for host in hosts.dropFirst() {
                #expect(try await test.read { try $0.publications(host, Page()).items.count } == 1)
            }
        }
    }

    @Test("a long run returns to the queue after some domains, with its attempts reset")
    func slices() async throws {
        try await withPublishing { test in
            try await test.write { tenant in
                for number in 1...(RunHandler.domainsAtATime + 1) {
                    _ = try tenant.createDomain(Host("host\(number).example.com"), labels: ["mine"])
                }
            }
            let scheduled = try await Scheduled(test, .label("mine"))
            try await test.scheduleHandler.handle(scheduled.claim(.schedule))
            try await test.runHandler.handle(scheduled.claim(.run))
            #expect(try await scheduled.runs().first?.state == .running)
            let second = try await scheduled.claim(.run)
            #expect(second.attempts == 1)
            try await test.runHandler.handle(second)
            #expect(try await scheduled.runs().first?.state == .ended)
        }
    }

    @Test(
        "a run that fails five times ends with its domains failed, and the schedule continues")
    func failed() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host))
            try await test.scheduleHandler.handle(scheduled.claim(.schedule))
            try await test.asSuperuser {
                _ = try $0.execute(
                    "alter table schedule_runs add constraint never_ends check (state = 'running') not valid")
            }
            for _ in 1..<JobWorker.maximumAttempts {
                #expect(try await test.workOnSchedules.workOnce())
                try await test.makeDue("run")
            }
            try await test.asSuperuser { _ = try $0.execute("alter table schedule_runs drop constraint never_ends") }
            try await test.asSuperuser { _ = try $0.execute("update jobs set attempts = 5 where kind = 'run'") }
            #expect(try await test.workOnSchedules.workOnce())
            #expect(try await scheduled.runs().first?.state == .ended)
            #expect(try await scheduled.now().state == .active)
        }
    }

    /// The zone is changed directly in the database. Waymark does not learn of it, just as of changed rules.
    @Test("if a zone's rules change before a due time, the run is at the new time and not at the old one")
    func changedRules() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host), minutesAgo: 10)
            let due = try #require(scheduled.schedule.nextDueAt)
            try await test.asSuperuser { database in
                // Three hours behind UTC, so the schedule's local time is three hours later.
                _ = try database.execute(
                    "update schedules set zone = 'Etc/GMT+3', handled_until = handled_until + interval '1 day'")
            }
            try await scheduled.work()
            #expect(try await scheduled.runs() == [])
            #expect(try await scheduled.now().nextDueAt == due.addingTimeInterval(3 * 3_600))
            let job = try await test.asSuperuser { database in
                try database.query("select due_at from jobs").map { try $0.decode("due_at", as: Date.self) }
            }
            let now = try await test.read { try $0.clock() }
            #expect(job.count == 1 && job.allSatisfy { $0 <= now.addingTimeInterval(86_400) }, "in a day at the latest")
        }
    }

    @Test("a zone that no longer exists suspends its schedule with the cause")
    func lostZone() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host))
            try await test.asSuperuser { _ = try $0.execute("update schedules set zone = 'Mars/Olympus'") }
            #expect(try await test.workOnSchedules.workOnce())
            let suspended = try await scheduled.now()
            #expect(suspended.state == .suspended)
            #expect(suspended.reason == "PostgreSQL no longer knows the time zone Mars/Olympus")
            #expect(try await test.store.read { try $0.jobCount() } == 0)
            await #expect(throws: StorageError.unknownZone("Mars/Olympus"), "resumed as it is") {
                try await test.write { try $0.updateSchedule(suspended.id, expecting: nil, state: .active) }
            }
            let resumed = try await test.write { tenant in
                try tenant.updateSchedule(suspended.id, expecting: nil, state: .active) { old in
                    var settings = old
                    settings.zone = "UTC"
                    return settings
                }
            }
            #expect(resumed.state == .active && resumed.nextDueAt != nil)
        }
    }

    @Test("a schedule that fails five times is suspended, and resuming it queues it again")
    func cannotBeLookedAt() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host))
            try await test.asSuperuser {
                _ = try $0.execute("alter table schedule_runs add constraint no_runs check (false)")
            }
            for attempt in 1...JobWorker.maximumAttempts {
                #expect(try await test.workOnSchedules.workOnce())
                try await test.makeDue("schedule")
                #expect(try await scheduled.now().state == (attempt < JobWorker.maximumAttempts ? .active : .suspended))
            }
            #expect(try await scheduled.now().reason?.contains("no_runs") == true)
            #expect(try await test.store.read { try $0.parkedJobCount() } == 1)
            let id = scheduled.schedule.id
            _ = try await test.write { try $0.updateSchedule(id, expecting: nil, state: .active) }
            #expect(try await test.store.read { try $0.parkedJobCount() } == 0)
            #expect(try await test.store.read { try $0.jobCount() } == 1)
        }
    }

    @Test("a domain that is or will be withdrawn, or has become an alias, is skipped with the cause")
    func leftAlone() async throws {
        try await withPublishing { test in
            let (gone, going, alias) = (
                try await test.addDomain("a-gone"), try await test.addDomain("b-going"),
                try await test.addDomain("c-alias")
            )
            for host in [gone, going] { try await test.goLive(host, path: "/1") }
            let withdrawal = try await test.write { tenant in
                for host in [gone, going, alias] { _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["mine"]) }
                _ = try tenant.createWithdrawal(of: going, reason: "over", graceSeconds: 600)
                return try tenant.createWithdrawal(of: gone, reason: "over", graceSeconds: 600)
            }
            try await test.write { _ = try $0.withdraw(withdrawal) }
            try await test.draft(going, Sample.draft(path: "/2"))
            let scheduled = try await Scheduled(test, .label("mine"))
            try await test.scheduleHandler.handle(scheduled.claim(.schedule))
            try await test.write {
                _ =
                    try $0.updateDomain(alias, aliasOf: going, labels: ["mine"], as: .publisher)
            }
            try await scheduled.work()
            let causes = try await scheduled.outcomes().map { $0.kind.cause ?? "" }
            let expected = ["was withdrawn", "being withdrawn", "an alias of"]
            #expect(causes.count == 3 && zip(causes, expected).allSatisfy { $0.contains($1) }, "\(causes)")
            #expect(try await test.read { try $0.domain(gone).live } == nil)
        }
    }
}
