import AASA
import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

@Suite("Freezes", .timeLimit(.minutes(3)))
struct FreezeTests {
    @Test("a freeze stops schedules and scheduled publications, and not publishing now")
    func frozen() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            _ = try await test.write { try $0.updateDomain(host, aliasOf: nil, labels: ["mine"]) }
            try await test.goLive(host, path: "/1")
            try await test.draft(host, Sample.draft(path: "/2"))
            let now = try await test.read { try $0.clock() }
            let at = try await test.publish(
                host, Publisher.Request(times: PublicationTimes(at: now.addingTimeInterval(3_600))))
            let freeze = try await test.write {
                try $0.createFreeze(label: "mine", reason: "the sale", endsAt: now.addingTimeInterval(7_200))
            }
            let scheduled = try await Scheduled(test, .domain(host))
            try await scheduled.work()
            #expect(try await scheduled.outcomes().map(\.kind) == [.frozen(freeze.id, because: freeze.cause)])
            try await test.makeDue("publish")
            try await scheduled.work()
            let suspended = try await test.now(at)
            #expect((suspended.state, suspended.cause) == (.suspended, freeze.cause))
            #expect(freeze.cause.contains("the sale") && freeze.cause.contains("ci"))
            #expect(try await test.publish(host).dueAt == nil)
            try await scheduled.work()
            #expect(try await test.read { try $0.domain(host).live?.version } == 3)

            _ = try await test.write { try $0.liftFreeze(freeze.id) }
            try await test.draft(host, Sample.draft(path: "/4"))
            let id = scheduled.schedule.id
            let run = try await test.write { try $0.runNow(id) }
            try await scheduled.work()
            #expect(try await scheduled.outcomes(run).map(\.kind.name) == ["published"])
            let publication = try await test.read { try $0.publications(host, Page()).items.first }
            #expect(publication?.requester == PublishingUnderTest.author, "who asked for the run")
            #expect(try await test.read { try $0.domain(host).live?.version } == 4)
        }
    }

    @Test("a freeze stops a run's publication that is not live yet")
    func frozenMeanwhile() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let scheduled = try await Scheduled(test, .domain(host))
            // The schedule's job and its run's. The publication waits.
            for _ in 0..<2 { #expect(try await test.workOnSchedules.workOnce()) }
            #expect(try await scheduled.outcomes().map(\.kind.name) == ["published"])
            let freeze = try await test.write { tenant in
                try tenant.createFreeze(
                    label: nil, reason: "the sale", endsAt: tenant.clock().addingTimeInterval(3_600))
            }
            try await scheduled.work()
            let publication = try #require(try await test.read { try $0.publications(host, Page()).items.first })
            #expect((publication.state, publication.cause) == (.suspended, freeze.cause))
            #expect(try await test.read { try $0.domain(host).live } == nil)
        }
    }

    @Test("the end of a freeze is recorded once, when it ends, and not for a lifted one")
    func endOfFreeze() async throws {
        try await withPublishing { test in
            let worker = JobWorker(
                store: test.store, handlers: [.freeze: FreezeHandler(store: test.store)], doorbell: Doorbell(),
                logger: TestCluster.silent, leaseSeconds: 10)
            let (freeze, lifted) = try await test.write { tenant in
                let end = try tenant.clock().addingTimeInterval(3_600)
                return try (
                    tenant.createFreeze(label: "mine", reason: "the sale", endsAt: end),
                    tenant.createFreeze(label: nil, reason: "by mistake", endsAt: end)
                )
            }
            _ = try await test.write { try $0.liftFreeze(lifted.id) }
            func told() async throws -> [String] {
                try await test.asSuperuser { database in
                    try database.query(
                        """
                        select subject || ' ' || concat_ws(' ', actor_kind, detail->>'freeze') as told from audit_entries
                        where action = 'freeze.ended'
                        """
                    ).map { try $0.decode("told", as: String.self) }
                }
            }
            #expect(try await !worker.workOnce(), "it goes on")
            try await test.makeDue("freeze")
            #expect(try await worker.workOnce(), "looked at too early")
            #expect(try await told().isEmpty)
            #expect(try await !worker.workOnce(), "put off until its end")
            try await test.asSuperuser {
                _ = try $0.execute(
                    "update freezes set created_at = now() - interval '2 s', ends_at = now() - interval '1 s'")
            }
            try await test.makeDue("freeze")
            #expect(try await worker.workOnce())
            #expect(try await told() == ["mine system \(freeze.id)"])
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }
}
