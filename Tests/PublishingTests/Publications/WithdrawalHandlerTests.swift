import AASA
import FoundationEssentials
import Postgres
import Snapshot
import Storage
import TestSupport
import Testing

@testable import Publishing

@Suite("Withdrawal handler", .timeLimit(.minutes(3)))
struct WithdrawalHandlerTests {
    private func make(_ host: Host, _ test: PublishingUnderTest) async throws -> Withdrawal {
        try await test.write { try $0.createWithdrawal(of: host, reason: "over", graceSeconds: 600) }
    }

    /// Ends the grace period now.
    private func endGrace(_ test: PublishingUnderTest) async throws {
        try await test.asSuperuser { _ = try $0.execute("update jobs set due_at = now() where kind = 'withdraw'") }
    }

    private func now(_ withdrawal: Withdrawal, _ test: PublishingUnderTest) async throws -> Withdrawal {
        try await test.read { try $0.withdrawal(withdrawal.id, of: withdrawal.host) }
    }

    @Test("a worker ends the live file after the grace period, and not before")
    func carriedOut() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let made = try await make(host, test)
            #expect(try await test.worker.workOnce() == false)
            #expect(try await now(made, test) == made)
            try await endGrace(test)
            #expect(try await test.worker.workOnce())
            let ended = try await now(made, test)
            #expect((ended.state, ended.activation) == (.withdrawn, 2))
            #expect(try await test.read { try $0.domain(host).live } == nil)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("while a withdrawal is pending nothing can be published, and earlier scheduled publications go live")
    func publishing() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let due = Date().addingTimeInterval(3_600)
            let times = PublicationTimes(at: due)
            let early = try await test.publish(host, Publisher.Request(times: times))
            let late = try await test.publish(
                host, Publisher.Request(times: PublicationTimes(at: due.addingTimeInterval(60))))
            let made = try await make(host, test)
            for request in [Publisher.Request(), Publisher.Request(times: times), Publisher.Request(version: 1)] {
                await #expect(throws: StorageError.beingWithdrawn(at: made.dueAt)) {
                    try await test.publish(host, request)
                }
            }
            _ = try await test.freeze(host)
            try await test.asSuperuser { _ = try $0.execute("update jobs set due_at = now() where kind = 'publish'") }
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(early).state == .live)
            #expect(try await now(made, test).state == .pending)
            try await endGrace(test)
            while try await test.worker.workOnce() {}
            #expect(try await now(made, test).state == .withdrawn)
            let cancelled = try await test.now(late)
            #expect(cancelled.state == .cancelled)
            #expect(cancelled.cause == "the host was withdrawn by ci: over")
            #expect(try await test.read { try $0.domain(host).live } == nil)
        }
    }

    @Test("publishing a withdrawn domain puts it back in service")
    func again() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            _ = try await make(host, test)
            try await endGrace(test)
            #expect(try await test.worker.workOnce())
            let published = try await test.goLive(host, path: "/2")
            #expect((published.state, published.cause, published.activation) == (.live, nil, 3))
        }
    }

    @Test("an undone withdrawal is not carried out, even if a worker already holds its job")
    func undone() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let made = try await make(host, test)
            try await endGrace(test)
            let job = try #require(try await test.store.write { try $0.claimJob(leaseSeconds: 600) })
            let undone = try await test.write { try $0.cancelWithdrawal(made.id, of: host) }
            await #expect(throws: JobLost.self) { try await handler(test).handle(job) }
            #expect(try await now(made, test) == undone)
            #expect(try await test.read { try $0.domain(host).live?.activation } == 1)
        }
    }

    @Test("a worker whose lease was taken over does not withdraw, and a later publication stays live")
    func fenced() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let made = try await make(host, test)
            try await endGrace(test)
            let old = try #require(try await test.store.write { try $0.claimJob(leaseSeconds: 0) })
            let new = try #require(try await test.store.write { try $0.claimJob(leaseSeconds: 600) })
            await #expect(throws: JobLost.self) { try await handler(test).handle(old) }
            #expect(try await now(made, test).state == .pending)
            try await handler(test).handle(new)
            #expect(try await now(made, test).state == .withdrawn)
            try await test.goLive(host, path: "/2")
            for job in [old, new] {
                await #expect(throws: JobLost.self) { try await handler(test).handle(job) }
            }
            #expect(try await test.read { try $0.domain(host).live?.activation } == 3)
        }
    }

    @Test("a withdrawal that fails five times ends as failed with its cause, and the host stays in service")
    func failed() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let made = try await make(host, test)
            try await test.asSuperuser {
                _ = try $0.execute("alter table claims add constraint is_served check (version is not null)")
            }
            for attempt in 1...JobWorker.maximumAttempts {
                try await endGrace(test)
                #expect(try await test.worker.workOnce())
                let found = try await now(made, test)
                #expect(found.cause?.contains("is_served") == true)
                #expect(found.state == (attempt < JobWorker.maximumAttempts ? .pending : .failed))
            }
            #expect(try await test.store.read { try $0.parkedJobCount() } == 1)
            #expect(try await test.read { try $0.domain(host).live?.activation } == 1)
            #expect(try await test.read { try $0.domain(host).withdrawal } == nil)
            try await test.draft(host, Sample.draft(path: "/2"))
            #expect(try await test.publish(host).state == .scheduled)
        }
    }

    @Test("a withdrawal whose claim is lost fails")
    func unclaimed() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let made = try await make(host, test)
            try await test.asSuperuser { _ = try $0.execute("delete from claims") }
            try await endGrace(test)
            #expect(try await test.worker.workOnce())
            let ended = try await now(made, test)
            #expect((ended.state, ended.cause) == (.failed, "the organization no longer holds the claim for the host"))
        }
    }

    @Test("after the last host is withdrawn, the manifest shows it to followers and to new consumers")
    func lastHost() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            func manifest(_ feed: SnapshotFeed) async throws -> Manifest {
                try Manifest(verifying: try await feed.manifest().bytes, trusted: [key.verificationKey])
            }
            #expect(try await manifest(feed).isEmptied == false, "nothing was ever live")
            let (host, other) = (try await test.addDomain("www"), try await test.addDomain("other"))
            for domain in [host, other] { try await test.goLive(domain, path: "/1") }
            let base = try await feed.manifest()
            for domain in [host, other] {
                _ = try await make(domain, test)
                try await endGrace(test)
                #expect(try await test.worker.workOnce())
                let followed = try await manifest(feed)
                #expect(try await manifest(SnapshotFeed(store: test.store, key: key)) == followed)
                #expect(followed.entry(of: domain.description) == nil)
                #expect(followed.isEmptied == (domain == other))
            }
            let newest = try await feed.manifest()
            #expect(try await manifest(feed).activation == 4)
            if let delta = try await feed.delta(from: base.tag, to: newest) {
                let old = try Manifest(verifying: base.bytes, trusted: [key.verificationKey])
                #expect(try ManifestDelta(reading: delta).applied(to: old) == newest.bytes)
            }
            try await test.goLive(host, path: "/2")
            #expect(try await manifest(feed).isEmptied == false)
        }
    }

    private func handler(_ test: PublishingUnderTest) -> WithdrawalHandler {
        WithdrawalHandler(store: test.store, logger: TestCluster.silent)
    }
}
