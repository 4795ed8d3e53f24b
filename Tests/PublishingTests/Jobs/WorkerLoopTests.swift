import AASA
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

@Suite("Concurrent workers", .timeLimit(.minutes(3)))
struct WorkerLoopTests {
    @Test("four workers make 200 publications live, each once")
    func fourWorkers() async throws {
        try await withPublishing(connections: 10) { test in
            let hosts = try (0..<200).map { try Host("h\($0).example.com") }
            try await test.write { tenant in
                for host in hosts {
                    _ = try tenant.createDomain(host)
                    _ = try tenant.claim(host)
                    _ = try tenant.freeze(
                        Sample.draft(path: "/\(host)").association().bytes, of: host, draftRevision: 1, message: "",
                        report: ["passed": true])
                    _ = try tenant.createSample(host, version: 1)
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { while try await test.worker.workOnce() {} } }
                try await group.waitForAll()
            }
            let ended = try await test.read { tenant in
                try hosts.flatMap { try tenant.publications($0, Page()).items }
            }
            #expect(ended.count == 200)
            #expect(ended.allSatisfy { $0.state == .live && $0.attempts == 1 })
            #expect(ended.compactMap(\.activation).sorted() == Array(1...200))
            let entries = try await test.asSuperuser {
                try $0.query("select 1 from audit_entries where action = 'publication.live'").count
            }
            #expect(entries == 200)
            let live = try await test.store.read { try $0.liveHosts() }
            #expect(live.hosts.count == 200 && Set(live.hosts.map(\.sha256)).count == 200)
        }
    }

    @Test("a worker survives errors of the database, and continues afterwards")
    func errors() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let doorbell = Doorbell()
            let worker = test.worker(test.handler, doorbell: doorbell)
            let isOver = Ended()
            let running = Task {
                try await worker.run()
                await isOver.set()
            }
            let name = test.database.name
            let harms: [(SQL, SQL)] = [
                ("alter table jobs rename to jobs_away", "alter table jobs_away rename to jobs"),
                ("alter table claims rename to claims_away", "alter table claims_away rename to claims"),
                ("revoke select on versions from waymark_runtime", "grant select on versions to waymark_runtime"),
            ]
            for (number, (harm, repair)) in harms.enumerated() {
                try await test.draft(host, Sample.draft(path: "/\(number)"))
                let made = try await test.publish(host)
                try await test.asSuperuser { try $0.execute(harm) }
                doorbell.ring()
                try await Task.sleep(for: .milliseconds(50))
                try await test.asSuperuser { database in
                    try database.execute(
                        """
                        select pg_terminate_backend(pid, 10000) from pg_stat_activity
                        where datname = \(name) and usename = 'waymark_runtime'
                        """)
                    try database.execute(repair)
                }
                // A refused publication is postponed by seconds.
                try await test.asSuperuser { try $0.execute("update jobs set due_at = now()") }
                doorbell.ring()
                #expect(try await eventually { try await test.now(made).state.isEnding }, "\(harm)")
                #expect(try await test.now(made).state == .live, "\(harm)")
                #expect(await isOver.isSet == false)
            }
            running.cancel()
            try await running.value
            #expect(await isOver.isSet)
        }
    }

    @Test("a publication that the database refuses is postponed, and its job is not lost")
    func postponed() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            try await test.asSuperuser { try $0.execute("revoke select on blobs from waymark_runtime") }
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(made).state == .running)
            let steps = try await test.steps(made)
            #expect(steps.map(\.kind) == [.made, .claimed, .postponed])
            #expect(steps.map(\.attempt) == [nil, 1, 1])
            #expect(steps.last?.cause?.contains("permission denied") == true)
            let pause = try #require(steps.last?.nextAt).timeIntervalSince(try #require(steps.last?.at))
            #expect((0.9...3.1).contains(pause), "about two seconds: \(pause)")
            try await test.asSuperuser { database in
                try database.execute("grant select on blobs to waymark_runtime")
                try database.execute("update jobs set due_at = now()")
            }
            #expect(try await test.worker.workOnce())
            let ended = try await test.now(made)
            #expect((ended.state, ended.attempts) == (.live, 2))
            #expect(try await test.steps(made).map(\.kind) == [.made, .claimed, .postponed, .claimed, .live])
        }
    }
}

private actor Ended {
    private(set) var isSet = false
    func set() { isSet = true }
}
