import AASA
import Cron
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

/// Changes between the judging of a release and its time.
extension ReleaseTests {
    @Test(
        "an unchanged domain must still be unchanged at the release's time: another file suspends the release, the same file does not"
    )
    func unchangedMoved() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            #expect(try await release(of: hosts, test).state == .live)
            var new = NewRelease(of: .hosts(hosts))
            for round in 0..<2 {
                try await test.draft(hosts[0], Sample.draft(path: "/new\(round)"))
                new.dueAt = Date().addingTimeInterval(3_600)
                let waiting = try await end(make(new, test), test)
                #expect(waiting.counts == [.frozen: 1, .unchanged: 1])
                try await test.goLive(hosts[1], path: "/other")
                if round == 1 { try await test.goLive(hosts[1], path: "/1") }
                let ended = try await endDue(waiting, test)
                #expect(ended.state == (round == 0 ? .suspended : .live))
                #expect(ended.counts == (round == 0 ? [.frozen: 1, .moved: 1] : [.live: 1, .unchanged: 1]))
                if round == 0 { try await test.goLive(hosts[1], path: "/1") }
            }
        }
    }

    @Test("an app or a domain of a pending release cannot be deleted")
    func deletions() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let (old, new) = (try AppID(Sample.app), try AppID("ABCDE12345.com.example.new"))
            try await test.write { tenant in
                let team = try TeamID("ABCDE12345")
                _ = try tenant.createTeam(team, name: "a")
                for app in [old, new] { _ = try tenant.createApp(app, teamID: team, name: "a") }
            }
            var later = NewRelease(of: .hosts([host]))
            later.dueAt = Date().addingTimeInterval(3_600)
            let made = try await make(later, test)
            await #expect(
                throws: StorageError.inUse(kind: "domain", usedBy: ["the release \(made.id)"]), "before it is judged"
            ) {
                try await test.write { try $0.deleteDomain(host) }
            }
            let waiting = try await end(made, test)
            #expect(waiting.state == .scheduled)
            try await test.draft(host, Sample.draft(app: new.description))
            await #expect(throws: StorageError.appInUse(drafts: HostSample(), files: HostSample([host.description]))) {
                try await test.write { try $0.deleteApp(old) }
            }
            _ = try await test.write { try $0.cancelRelease(waiting.id) }
            try await test.write { try $0.deleteApp(old) }
        }
    }

    @Test("a release names exactly the items that go live on its domains before it, in the order of time")
    func predecessors() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(4, test)
            func at(_ minutes: Double) -> Date {
                Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + minutes * 60).rounded())
            }
            func publish(_ host: Host, at due: Date) async throws -> UUID {
                let request = Publisher.Request(times: PublicationTimes(at: due))
                return try await test.publish(host, request).id.uuid
            }
            func release(_ hosts: [Host], at due: Date, isDryRun: Bool = false) async throws -> Release {
                var new = NewRelease(of: .hosts(hosts))
                new.dueAt = due
                new.isDryRun = isDryRun
                return try await end(make(new, test), test)
            }
            func predecessors(_ release: Release) async throws -> [UUID] {
                try await test.read { try $0.predecessors(of: release) }.map(\.id)
            }
            let sooner = try await release([hosts[1], hosts[2]], at: at(20))
            let publication = try await publish(hosts[0], at: at(10))
            _ = try await publish(hosts[0], at: at(90))
            _ = try await publish(hosts[3], at: at(10))
            let schedule = try await test.write { tenant in
                let every = Schedule.Settings(
                    name: "often", target: .domain(hosts[2]), expression: try CronExpression(parsing: "* * * * *"),
                    zone: "UTC", message: "", catchUpSeconds: 60)
                return try tenant.createSchedule(every)
            }
            let expected = [schedule.id.uuid, publication, sooner.id.uuid]
            let later = try await release([hosts[0], hosts[1], hosts[2]], at: at(60))
            #expect(try await predecessors(later) == expected)
            let check = try await release([hosts[0], hosts[1], hosts[2]], at: at(60), isDryRun: true)
            #expect(check.state == .judged)
            #expect(try await predecessors(check) == expected + [later.id.uuid])
            #expect(try await predecessors(sooner) == [schedule.id.uuid])
            #expect(try await predecessors(endDue(later, test)) == [])
        }
    }

    @Test("a freeze that begins while a scheduled release is being made live stops it")
    func freezeMeanwhile() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            var new = NewRelease(of: .hosts(hosts))
            new.dueAt = Date().addingTimeInterval(3_600)
            let waiting = try await end(make(new, test), test)
            let hold = Hold()
            // One of the last tables that it writes. The claims already point at the new versions then.
            async let locked: Void = test.asSuperuser { database in
                _ = try database.execute("lock table publication_steps in exclusive mode")
                hold.stop()
            }
            await hold.reached()
            let isOver = Flag()
            async let ended = {
                defer { isOver.set() }
                return try await endDue(waiting, test)
            }()
            try await test.database.untilBlocked(unless: isOver)
            try await test.write { tenant in
                let end = try tenant.clock().addingTimeInterval(3_600)
                _ = try tenant.createFreeze(label: nil, reason: "the sale", endsAt: end)
            }
            hold.release()
            try await locked
            #expect(try await ended.state == .suspended)
            #expect(try await ended.cause?.contains("the sale") == true)
            #expect(try await live(hosts, test) == [nil, nil])
            #expect(try await test.store.read { try $0.jobCount() } == 1, "the end of the freeze")
        }
    }

    @Test("a release that cannot be made live in its time limit is tried again with its cause, and finally fails")
    func tooSlow() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(1, test)
            let made = try await make(NewRelease(of: .hosts(hosts)), test)
            let hold = Hold()
            async let locked: Void = test.asSuperuser { database in
                _ = try database.execute("lock table publication_steps in exclusive mode")
                hold.stop()
            }
            await hold.reached()
            let handler = ReleaseHandler(
                store: test.store, logger: TestCluster.silent, activationDeadline: .milliseconds(300))
            let worker = JobWorker(
                store: test.store, handlers: [.release: handler], doorbell: Doorbell(), logger: TestCluster.silent,
                threads: WorkThreads(count: 1))
            for attempt in 1...JobWorker.maximumAttempts {
                #expect(try await worker.workOnce(), "attempt \(attempt)")
                try await test.asSuperuser { _ = try $0.execute("update jobs set due_at = now()") }
            }
            hold.release()
            try await locked
            let ended = try await now(made, test)
            #expect(ended.state == .failed)
            #expect(ended.cause?.contains("took longer than 0.3 seconds") == true)
            #expect(try await live(hosts, test) == [nil])
            let told = try await test.write { tenant in
                _ = try tenant.placeEvents()
                return try tenant.newestEvents(Page(), EventFilter(kinds: [.releasePostponed])).items
            }
            #expect(told.count == JobWorker.maximumAttempts - 1)
        }
    }

    @Test("creating a release while its domains are locked one by one does not deadlock")
    func madeBesideLocks() async throws {
        try await withPublishing { test in
            // The highest first, so that they are not in order.
            let hosts = try (0..<8).reversed().map { try Host("host\($0).example.com") }
            for host in hosts { _ = try await test.addDomain(String(host.description.prefix { $0 != "." })) }
            let sorted = Array(hosts.reversed())
            try await test.write { tenant in
                for host in hosts { _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["all"]) }
            }
            for choice in [DomainChoice.hosts(hosts), .label("all")] {
                let hold = Hold()
                let isOver = Flag()
                async let locked: Void = test.write { tenant in
                    try tenant.lock([sorted[0]])
                    hold.stop()
                    for host in sorted.dropFirst() { try tenant.lock([host]) }
                }
                await hold.reached()
                async let made = {
                    defer { isOver.set() }
                    return try await make(NewRelease(of: choice), test)
                }()
                try await test.database.untilBlocked(unless: isOver)
                hold.release()
                try await locked
                #expect(try await made.counts == [.waiting: 8])
            }
        }
    }
}
