import NIOConcurrencyHelpers
import NIOHTTP1
import ObjectStore
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// A worker that pushes to a bucket in which some objects hang, or all fail.
@Suite("Pushing to buckets", .timeLimit(.minutes(2)))
struct BucketPushingTests {
    /// Runs `body` while a worker processes this many objects that should not exist and do not, after this many others for
    /// which the bucket never answers.
    ///
    /// - Parameters:
    ///   - attempts: how often each object was tried before.
    ///   - wasFailing: whether nothing in the bucket could be read at the previous worker's last attempt.
    ///   - refuses: whether the bucket refuses every request.
    private func whilePushing(
        hanging: Int, others: Int, attempts: Int = 0, wasFailing: Bool = false, failingPause: Duration = .seconds(5),
        doorbell: Doorbell = Doorbell(),
        refuses: @escaping @Sendable () -> Bool = { false },
        _ body: (PublishingUnderTest, Task<Void, Never>) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer {
            refuses() ? .answer(503) : $0.uri.contains("hanging") ? .stall : .answer(404)
        }
        let address = try #require(
            BucketAddress(endpoint: server.baseURL, region: "us-east-1", bucket: "links", style: .path))
        let bucket = Bucket(address, connections: BucketPusher.connections, deadline: .seconds(100)) {
            Credentials(accessKeyID: "id", secretAccessKey: "secret")
        }
        let target = PushedBucket(
            name: "main", address: address.url, bucket: bucket, prefix: "", cacheControl: "no-store",
            comparisonSeconds: 60)
        // The client and the server are closed in any case, because an open client would end the whole test process.
        let result: Result<Void, any Error>
        do {
            try await pushing(hanging, others, attempts, wasFailing, failingPause, doorbell, target, body)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await bucket.close()
        try await server.close()
        try result.get()
    }

    private func pushing(
        _ hanging: Int, _ others: Int, _ attempts: Int, _ wasFailing: Bool, _ failingPause: Duration,
        _ doorbell: Doorbell, _ target: PushedBucket,
        _ body: (PublishingUnderTest, Task<Void, Never>) async throws -> Void
    ) async throws {
        let address = target.address
        try await withPublishing { test in
            let sink = try await test.store.write { installation in
                let sink = try installation.openSink("main", at: address)
                if wasFailing { try installation.note(sink, failure: "the bucket answers 503") }
                return try installation.openSink("main", at: address)
            }
            try await test.asSuperuser { database in
                try database.execute(
                    """
                    insert into sink_objects (sink, host, path, attempts, due_at)
                    select sinks.id, case when n <= \(hanging) then 'hanging-' else 'other-' end || n,
                      \(SinkObject.paths[0]), \(attempts), now() - interval '1 hour' + n * interval '1 second'
                    from sinks cross join generate_series(1, \(hanging + others)) as n
                    """)
            }
            let pusher = BucketPusher(
                store: test.store, target: target, doorbell: doorbell, logger: TestCluster.silent,
                failingPause: failingPause)
            let pushing = Task { await pusher.push(to: sink) }
            let result: Result<Void, any Error>
            do { result = .success(try await body(test, pushing)) } catch { result = .failure(error) }
            pushing.cancel()
            await pushing.value
            try result.get()
        }
    }

    /// The number of objects that wait or are being processed.
    private func waiting(_ test: PublishingUnderTest, where condition: SQL = "") async throws -> Int {
        try await test.asSuperuser {
            try $0.query("select 1 from sink_objects where due_at is not null \(fragment: condition)").count
        }
    }

    /// One place is left, and more objects wait for it than are claimed in one step.
    @Test("objects that hang block only their own places", arguments: [1, BucketPusher.width - 1])
    func hanging(_ hanging: Int) async throws {
        let others = BucketPusher.width + BucketPusher.batchSize
        try await whilePushing(hanging: hanging, others: others) { test, _ in
            let isDone = try await eventually { try await waiting(test) == hanging }
            #expect(isDone)
        }
    }

    /// The recorded cause of the failure of the whole bucket.
    private func failure(_ test: PublishingUnderTest) async throws -> String? {
        try await test.asSuperuser {
            try $0.query("select failure from sinks").first?.decode("failure", as: String?.self)
        }
    }

    @Test("while a bucket cannot be read, its waiting objects are not tried")
    func failing() async throws {
        let doorbell = Doorbell()
        try await whilePushing(
            hanging: 0, others: 4 * BucketPusher.width, failingPause: .seconds(3600), doorbell: doorbell,
            refuses: { true }
        ) { test, _ in
            let isSaid = try await eventually { try await failure(test) == "the bucket answers 503" }
            #expect(isSaid)
            let haveEnded = try await eventually {
                try await waiting(test, where: "and attempts > 0 and cause is null") == 0
            }
            #expect(haveEnded)
            let tried = try await waiting(test, where: "and attempts > 0")
            #expect(tried < 4 * BucketPusher.width)
            // Time for a worker that wrongly continues.
            for _ in 0..<10 {
                doorbell.ring()
                try await Task.sleep(for: .milliseconds(200))
            }
            #expect(try await waiting(test, where: "and attempts > 0") == tried)
        }
    }

    @Test("repeated failures of objects do not count against their bucket")
    func failingAlone() async throws {
        let others = 4 * BucketPusher.width
        try await whilePushing(
            hanging: 0, others: others, attempts: 1, failingPause: .seconds(3600), refuses: { true }
        ) { test, _ in
            let haveFailed = try await eventually { try await waiting(test, where: "and cause is not null") == others }
            #expect(haveFailed)
            #expect(try await failure(test) == nil)
        }
    }

    @Test("a bucket that failed for the previous worker counts as failing until something can be read")
    func failingBefore() async throws {
        try await whilePushing(
            hanging: 0, others: BucketPusher.width, attempts: 1, wasFailing: true, failingPause: .seconds(3600),
            refuses: { true }
        ) { test, _ in
            // Time for a worker that wrongly tries the objects.
            try await Task.sleep(for: .seconds(2))
            #expect(try await waiting(test, where: "and attempts > 1") == 0)
            #expect(try await failure(test) == "the bucket answers 503")
        }
    }

    @Test(
        "a failing bucket is tried again, and everything is pushed when it works again", arguments: [false, true])
    func recovering(wasFailing: Bool) async throws {
        let refuses = NIOLockedValueBox(true)
        try await whilePushing(
            hanging: 0, others: 4 * BucketPusher.width, wasFailing: wasFailing, failingPause: .milliseconds(50),
            refuses: { refuses.withLockedValue { $0 } }
        ) { test, _ in
            let isSaid = try await eventually { try await failure(test) != nil }
            #expect(isSaid)
            refuses.withLockedValue { $0 = false }
            let isDone = try await eventually { try await waiting(test, where: "and attempts = 0") == 0 }
            #expect(isDone)
            let isRecovered = try await eventually { try await failure(test) == nil }
            #expect(isRecovered)
        }
    }

    @Test("a worker that is shut down gives its objects back")
    func shutDown() async throws {
        try await whilePushing(hanging: 3, others: 0) { test, pushing in
            let areHeld = try await eventually { try await waiting(test, where: "and due_at > clock_timestamp()") == 3 }
            #expect(areHeld)
            pushing.cancel()
            await pushing.value
            #expect(try await waiting(test, where: "and due_at <= clock_timestamp() and attempts = 0") == 3)
        }
    }
}
