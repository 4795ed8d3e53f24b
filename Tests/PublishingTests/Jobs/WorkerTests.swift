import AASA
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

@Suite("Publication handler", .timeLimit(.minutes(3)))
struct WorkerTests {
    private func claim(_ test: PublishingUnderTest, lease: Int = 600) async throws -> Job {
        try #require(try await test.store.write { try $0.claimJob(leaseSeconds: lease) })
    }

    @Test("the version goes live in one transaction with the publication's end and the audit entry")
    func publishes() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            #expect(try await test.worker.workOnce())
            let ended = try await test.now(made)
            #expect((ended.state, ended.activation, ended.attempts, ended.cause) == (.live, 1, 1, nil))
            #expect(ended.startedAt != nil && ended.endedAt != nil)
            let live = try #require(try await test.read { try $0.domain(host).live })
            #expect((live.version, live.activation) == (1, 1))
            #expect(live.sha256 == digest(Sample.draft().association().bytes))
            #expect(try await test.read { try $0.domain(host).state } == .live)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
            #expect(try await test.worker.workOnce() == false)
            #expect(try await entries("publication.live", test) == 1)
        }
    }

    private func entries(_ action: String, _ test: PublishingUnderTest) async throws -> Int {
        try await test.asSuperuser { try $0.query("select 1 from audit_entries where action = \(action)").count }
    }

    @Test("a superseded publication does not go live")
    func superseded() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let older = try await test.publish(host)
            let newer = try await test.publish(host)
            while try await test.worker.workOnce() {}
            #expect(try await test.now(older).state == .superseded)
            #expect(try await test.now(newer).state == .live)
            #expect(try await test.read { try $0.domain(host).live?.version } == 2)
            #expect(try await test.store.read { try $0.lastActivation() } == 1)
        }
    }

    @Test("a cancelled publication does not go live, even if a worker already holds its job")
    func cancelled() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            let job = try await claim(test)
            let cancelled = try await test.write { try $0.cancelPublication(made.id, of: host) }
            #expect(cancelled.state == .cancelled)
            await #expect(throws: JobLost.self) { try await test.handler.handle(job) }
            #expect(try await test.now(made) == cancelled)
            #expect(try await test.read { try $0.domain(host).live } == nil)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("a publication is suspended if another version has gone live since it was made", arguments: [false, true])
    func moved(isFirst: Bool) async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            if !isFirst { try await test.goLive(host, path: "/1") }
            let old = try await test.freeze(host)
            try await test.draft(host, Sample.draft(path: "/2"))
            let made = try await test.publish(host)
            let moved = try await test.write { try $0.activate(old, of: host, expecting: .anything) }
            #expect(try await test.worker.workOnce())
            let ended = try await test.now(made)
            #expect(ended.state == .suspended)
            let cause = "another version went live after it was created, under activation \(isFirst ? 1 : 2);"
            #expect(ended.cause == cause + " publish it again if you still want it")
            #expect(try await test.read { try $0.domain(host).live?.version } == old.number)
            #expect(moved == .done(isFirst ? 1 : 2))
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("a publication that overrides goes live even if another version has gone live since")
    func overriding() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let old = try await test.freeze(host)
            let made = try await test.publish(host, Publisher.Request(reason: "urgent", overrides: true))
            _ = try await test.write { try $0.activate(old, of: host, expecting: .anything) }
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(made).state == .live)
            #expect(try await test.read { try $0.domain(host).live?.version } == made.version)
        }
    }

    @Test("a publication is suspended if the claim is lost")
    func unclaimed() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            try await test.asSuperuser { try $0.execute("delete from claims") }
            #expect(try await test.worker.workOnce())
            let ended = try await test.now(made)
            #expect(ended.state == .suspended)
            #expect(ended.cause == "the domain is no longer verified or has become an alias")
        }
    }

    @Test("a domain with a pending publication cannot become an alias; if it is one, the publication is suspended")
    func becameAlias() async throws {
        try await withPublishing { test in
            let target = try await test.addDomain("target")
            try await test.goLive(target, path: "/target")
            for overrides in [false, true] {
                let host = try await test.addDomain("alias-\(overrides)", path: "/own")
                let made = try await test.publish(host, Publisher.Request(reason: "x", overrides: overrides))
                let pending = "the publication \(made.id) of version 1"
                await #expect(throws: StorageError.wouldStop([pending])) {
                    try await test.write { try $0.updateDomain(host, aliasOf: target, labels: [], as: .owner) }
                }
                try await test.asSuperuser { database in
                    let (host, target) = (host.description, target.description)
                    try database.execute("update domains set alias_of = \(target) where host = \(host)")
                    try database.execute("update claims set domain = \(target) where host = \(host)")
                }
                #expect(try await test.worker.workOnce())
                #expect(try await test.now(made).state == .suspended)
                let live = try await test.store.read { try $0.liveHosts() }.hosts.map(\.host)
                #expect(live == [target.description])
            }
        }
    }

    @Test("a worker whose lease was taken over changes nothing, and the new worker continues")
    func fenced() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            let old = try await claim(test, lease: 0)
            let new = try await claim(test)
            await #expect(throws: JobLost.self) { try await test.handler.handle(old) }
            #expect(try await test.now(made).state == .scheduled)
            #expect(try await test.read { try $0.domain(host).live } == nil)
            #expect(try await test.store.read { try $0.jobCount() } == 1)
            try await test.handler.handle(new)
            #expect(try await test.now(made).state == .live)
            await #expect(throws: JobLost.self) { try await test.handler.handle(old) }
            #expect(try await test.store.read { try $0.lastActivation() } == 1)
        }
    }

    @Test("a worker that slept during a newer publication never overwrites it, 200 times")
    func stale() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            _ = try await test.freeze(host)
            for round in 1...200 {
                let older = try await test.write { try $0.createSample(host, version: 1) }
                let old = try await claim(test, lease: 0)
                // Half of them wake up after they have started.
                if round.isMultiple(of: 2) { try await test.write { try $0.begin(older, attempt: 1) } }
                let newer = try await test.write { try $0.createSample(host, version: 1) }
                #expect(try await test.worker.workOnce())
                await #expect(throws: JobLost.self) { try await test.handler.handle(old) }
                #expect(try await test.now(older).state == .superseded)
                #expect(try await test.now(newer).activation == Int64(round))
                #expect(try await test.store.read { try $0.lastActivation() } == Int64(round))
            }
        }
    }

    @Test("a job that was lost with five workers is parked, and its publication fails with the cause")
    func fiveAttempts() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            for attempt in 1...JobWorker.maximumAttempts {
                #expect(try await claim(test, lease: 0).attempts == attempt)
                try await test.write { try $0.begin(made, attempt: attempt) }
            }
            #expect(try await test.worker.workOnce())
            let ended = try await test.now(made)
            #expect(ended.state == .failed)
            #expect(
                ended.cause
                    == "given up after 5 attempts; the last one failed: its worker was lost during the attempt"
            )
            #expect(ended.attempts == 5)
            #expect(try await test.steps(made).map(\.attempt) == [nil, 1, 2, 3, 4, 5, nil])
            #expect(try await test.store.read { try $0.parkedJobCount() } == 1)
            #expect(try await test.worker.workOnce() == false, "a parked job is not claimed")
            #expect(try await test.read { try $0.domain(host).live } == nil)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("the fifth attempt can still succeed")
    func fourAttempts() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            for _ in 1..<JobWorker.maximumAttempts { _ = try await claim(test, lease: 0) }
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(made).state == .live)
        }
    }

    @Test(
        "saved bytes that have changed never go live",
        arguments: ["{}", "", #"{"applinks":{"details":[]}}"#, "not JSON", nil])
    func corrupted(bytes: String?) async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            try await test.asSuperuser { database in
                try database.execute("alter table blobs drop constraint blob_is_what_its_digest_says")
                try database.execute("set local session_replication_role = replica")
                // Nil changes one letter of the app ID: the file is still valid, and has the same length.
                try database.execute(
                    "update blobs set bytes = coalesce(\(bytes.map { Array($0.utf8) }), set_byte(bytes, 36, 90))")
            }
            #expect(try await test.worker.workOnce())
            let ended = try await test.now(made)
            #expect((ended.state, ended.cause) == (.failed, "the saved bytes do not match their digest"))
            #expect(try await test.read { try $0.domain(host).live } == nil)
            #expect(try await test.store.read { try $0.lastActivation() } == 0)
        }
    }

    @Test("saved bytes that are not an association never go live, complete or not")
    func unreadable() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.write { tenant in
                _ = try tenant.freeze(
                    Array("[]".utf8), of: host, draftRevision: 1, message: "", report: ["passed": true])
                return try tenant.createSample(host, version: 1)
            }
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(made).state == .failed)
            #expect(try await test.read { try $0.domain(host).live } == nil)
        }
    }
}

extension TenantTransaction {
    /// A publication of a version, without the gate.
    func createSample(_ host: Host, version: Int) throws -> Publication {
        try createPublication(NewPublication(of: host, version: version, report: ["passed": true]))
    }
}
