import FoundationEssentials
import NIOHTTP1
import ObjectStore
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// Workers that list a bucket whose pages are slow.
@Suite("Listing buckets", .timeLimit(.minutes(2)))
struct BucketListingTests {
    /// Runs `body` with a sink that has the two objects of a host, and with its pusher. The bucket is empty, and its
    /// listing has this many pages, one of which never completes.
    private func withPusher(
        pages: Int, eachMilliseconds: Int64 = 0, stallingAt stalling: Int? = nil, leaseSeconds: Int,
        _ body: (PublishingUnderTest, ScriptedServer, BucketPusher, Sink) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer { request in
            let page = request.uri.split(separator: "continuation-token=").last.flatMap { Int($0.prefix { $0 != "&" }) }
            if page == stalling, page != nil { return .stall }
            let next = (page ?? 1) + 1
            let text =
                next > pages
                ? "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
                : "<ListBucketResult><IsTruncated>true</IsTruncated>"
                    + "<NextContinuationToken>\(next)</NextContinuationToken></ListBucketResult>"
            return .answer(200, body: Array(text.utf8), afterMilliseconds: eachMilliseconds)
        }
        let address = try #require(
            BucketAddress(endpoint: server.baseURL, region: "us-east-1", bucket: "links", style: .path))
        let bucket = Bucket(address, connections: 3, deadline: .seconds(60)) {
            Credentials(accessKeyID: "id", secretAccessKey: "secret")
        }
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await withSink(at: address, bucket, leaseSeconds: leaseSeconds) { test, pusher, sink in
                    try await body(test, server, pusher, sink)
                })
        } catch {
            result = .failure(error)
        }
        await bucket.close()
        try await server.close()
        try result.get()
    }

    private func withSink(
        at address: BucketAddress, _ bucket: Bucket, leaseSeconds: Int,
        _ body: (PublishingUnderTest, BucketPusher, Sink) async throws -> Void
    ) async throws {
        try await withPublishing { test in
            try await test.goLive(test.addDomain("www"), path: "/*")
            let sink = try await test.store.write { try $0.openSink("main", at: address.url) }
            _ = try await test.store.write { try $0.queueChanges(of: sink) }
            try await test.store.write { installation in
                for object in try installation.claimObjects(of: sink, atMost: 10, leaseSeconds: 60) {
                    try installation.markCurrent(object, as: installation.want(of: object))
                }
            }
            let target = PushedBucket(
                name: "main", address: address.url, bucket: bucket, prefix: "", cacheControl: "no-store",
                comparisonSeconds: 1)
            let pusher = BucketPusher(
                store: test.store, target: target, doorbell: Doorbell(), logger: TestCluster.silent,
                listingLeaseSeconds: leaseSeconds)
            try await body(test, pusher, sink)
        }
    }

    private func missing(_ test: PublishingUnderTest) async throws -> Int {
        try await test.asSuperuser { try $0.query("select 1 from sink_objects where due_at is not null").count }
    }

    @Test("three workers complete a listing that takes three times as long as their lease")
    func slow() async throws {
        try await withPusher(pages: 15, eachMilliseconds: 400, leaseSeconds: 2) { test, _, pusher, sink in
            let workers = (0..<3).map { _ in Task { await pusher.compare(sink) } }
            let isCompared = try await eventually { try await missing(test) == 2 }
            #expect(isCompared)
            for worker in workers { worker.cancel() }
            for worker in workers { await worker.value }
        }
    }

    @Test(
        "the lease of a listing is renewed while a page is loading, and a worker stops as soon as another one takes over"
    )
    func takenOver() async throws {
        try await withPusher(pages: 9, stallingAt: 2, leaseSeconds: 3) { test, server, pusher, sink in
            let comparison = Task { try await pusher.compareOnce(sink) }
            #expect(try await eventually { server.requests.count == 2 })
            let held = try await heldUntil(test)
            let isHeld = try await eventually { try await heldUntil(test) > held }
            #expect(isHeld)
            try await test.asSuperuser { _ = try $0.execute("update sinks set listing_token = listing_token + 1") }
            await #expect(throws: SinkListingLost.self) { try await comparison.value }
            #expect(server.requests.count == 2)
            #expect(try await missing(test) == 0)
        }
    }

    private func heldUntil(_ test: PublishingUnderTest) async throws -> Date {
        try await test.asSuperuser {
            try $0.query("select max(listing_due_at) as held from sinks")[0].decode("held", as: Date.self)
        }
    }

    @Test("an endless listing is abandoned with an error")
    func endless() async throws {
        try await withPusher(pages: .max, leaseSeconds: 60) { test, server, pusher, sink in
            let cause = try await pusher.compareOnce(sink)
            #expect(cause == .unreadable("a list of more than \(BucketPusher.maximumPages) pages"))
            #expect(server.requests.count == BucketPusher.maximumPages)
        }
    }
}
