import AASA
import Postgres
import Snapshot
import Storage
import TestSupport
import Testing

@testable import Publishing

@Suite("Snapshot deltas", .timeLimit(.minutes(3)))
struct SnapshotDeltaTests {
    /// The result for a consumer with the manifest `base` that applies the delta to `signed`; nil if the feed gives no
    /// delta.
    private func follow(
        _ feed: SnapshotFeed, from base: SnapshotFeed.Signed, to signed: SnapshotFeed.Signed, _ key: SigningKey
    ) async throws -> [UInt8]? {
        guard let delta = try await feed.delta(from: base.tag, to: signed) else { return nil }
        let manifest = try Manifest(verifying: base.bytes, trusted: [key.verificationKey])
        return try ManifestDelta(reading: delta).applied(to: manifest)
    }

    /// Ends the live file of a host, like a withdrawal.
    private func end(_ host: Host, in test: PublishingUnderTest) async throws {
        try await test.asSuperuser { db in
            try db.execute("alter table claims drop constraint if exists live_claim_is_whole")
            try db.execute("update activation_counter set last = last + 1")
            try db.execute(
                """
                update claims
                set version = null, sha256 = null, size = null, live_since = null,
                  activation = (select last from activation_counter)
                where host = \(host.description)
                """)
        }
    }

    @Test("whatever has changed, the delta leads to the same bytes as the whole manifest")
    func leads() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            var seen = [try await feed.manifest()]
            var hosts: [Host] = []
            for number in 0..<14 {
                hosts.append(try await test.addDomain("h\(number)"))
                try await test.goLive(hosts[number], path: "/\(number)")
                seen.append(try await feed.manifest())
            }
            try await test.goLive(hosts[1], path: "/again")
            seen.append(try await feed.manifest())
            try await test.goLive(hosts[1], path: "/once more")
            try await end(hosts[2], in: test)
            try await test.goLive(hosts[3], path: "/again")
            let newest = try await feed.manifest()
            let manifest = try Manifest(verifying: newest.bytes, trusted: [key.verificationKey])
            #expect(manifest.count == 13 && manifest.activation == 18)
            var led = 0
            for base in seen {
                guard let bytes = try await follow(feed, from: base, to: newest, key) else { continue }
                #expect(bytes == newest.bytes)
                led += 1
            }
            #expect(led >= 4, "only from the first ones is the whole hardly longer")
            #expect(try await feed.delta(from: newest.tag, to: newest) == nil)
            #expect(try await feed.delta(from: "\"x\"", to: newest) == nil)
            #expect(try await feed.delta(from: seen[6].tag, to: seen[7]) == nil, "the newest only")
        }
    }

    @Test("two feeds of one database give the same bytes and tags, and deltas from each other's manifests")
    func twoFeeds() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let one = SnapshotFeed(store: test.store, key: key)
            let other = SnapshotFeed(store: test.store, key: key)
            var hosts: [Host] = []
            for number in 0..<6 {
                hosts.append(try await test.addDomain("h\(number)"))
                try await test.goLive(hosts[number], path: "/\(number)")
                _ = try await one.manifest()
            }
            let base = try await one.manifest()
            try await end(hosts[0], in: test)
            _ = try await one.manifest()
            try await test.goLive(hosts[5], path: "/again")
            let first = try await one.manifest()
            let second = try await other.manifest()
            #expect(first.bytes == second.bytes && first.tag == second.tag)
            #expect(try await follow(other, from: base, to: second, key) == first.bytes)
            let third = try await SnapshotFeed(store: test.store, key: key).manifest()
            #expect(third.bytes == first.bytes)
        }
    }

    @Test("the last withdrawal is marked as emptying the manifest on purpose, and vanished rows are not")
    func emptied() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            _ = try await feed.manifest()
            try await end(host, in: test)
            for feed in [feed, SnapshotFeed(store: test.store, key: key)] {
                let signed = try await feed.manifest()
                let manifest = try Manifest(verifying: signed.bytes, trusted: [key.verificationKey])
                #expect(manifest.count == 0 && manifest.isEmptied && manifest.activation == 2)
            }
            try await test.asSuperuser { db in _ = try db.execute("delete from claims") }
            let fresh = try await SnapshotFeed(store: test.store, key: key).manifest()
            #expect(try !Manifest(verifying: fresh.bytes, trusted: [key.verificationKey]).isEmptied)
        }
    }

    @Test("a database that was set back is served as it is, and consumers decide")
    func setBack() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            try await test.goLive(try await test.addDomain("www"), path: "/1")
            #expect(try await feed.manifest().tag.hasPrefix("\"1-"))
            try await test.asSuperuser { db in
                try db.execute("delete from claims")
                try db.execute("update activation_counter set last = 0")
            }
            let manifest = try await Manifest(verifying: feed.manifest().bytes, trusted: [key.verificationKey])
            #expect(manifest.activation == 0 && manifest.count == 0 && !manifest.isEmptied)
        }
    }

    @Test("a waiting consumer gets a change, or the end of its wait, or its cancellation")
    func waiting() async throws {
        try await withPublishing { test in
            let bell = Doorbell()
            let feed = SnapshotFeed(store: test.store, key: try SigningKey(), doorbell: bell)
            let host = try await test.addDomain("www")
            let known = try await feed.manifest()
            let isKnown: @Sendable (String) -> Bool = { $0 == known.tag }
            #expect(try await feed.manifest(unless: isKnown, wait: .milliseconds(30)).tag == known.tag)
            #expect(try await feed.manifest(unless: { _ in false }, wait: .seconds(60)).tag == known.tag)
            let cancelled = Task { try await feed.manifest(unless: isKnown, wait: .seconds(600)) }
            let waiting = Task { try await feed.manifest(unless: isKnown, wait: .seconds(600)) }
            #expect(try await eventually { await feed.waiting == 2 })
            cancelled.cancel()
            #expect(try await cancelled.value.tag == known.tag)
            try await test.goLive(host, path: "/1")
            bell.ring()
            #expect(try await waiting.value.tag != known.tag)
            #expect(await feed.waiting == 0)
        }
    }

    @Test("without a hint, a waiting consumer gets a change too")
    func withoutHint() async throws {
        try await withPublishing { test in
            let feed = SnapshotFeed(store: test.store, key: try SigningKey())
            let host = try await test.addDomain("www")
            let known = try await feed.manifest()
            let waiting = Task { try await feed.manifest(unless: { $0 == known.tag }, wait: .seconds(30)) }
            #expect(try await eventually { await feed.waiting == 1 })
            try await test.goLive(host, path: "/1")
            #expect(try await waiting.value.tag != known.tag)
        }
    }

    @Test("a thousand waiting consumers cost one query per change")
    func shared() async throws {
        try await withPublishing { test in
            let bell = Doorbell()
            let feed = SnapshotFeed(store: test.store, key: try SigningKey(), doorbell: bell)
            let host = try await test.addDomain("www")
            let known = try await feed.manifest()
            let isKnown: @Sendable (String) -> Bool = { $0 == known.tag }
            let tags = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<1000 {
                    group.addTask { try await feed.manifest(unless: isKnown, wait: .seconds(600)).tag }
                }
                #expect(try await eventually { await feed.waiting == 1000 })
                try await test.goLive(host, path: "/1")
                let before = await feed.looks
                bell.ring()
                var tags: Set<String> = []
                for try await tag in group { tags.insert(tag) }
                // One query, and those that are made from time to time without a ring.
                #expect(await feed.looks - before < 100)
                return tags
            }
            #expect(tags == [try await feed.manifest().tag])
        }
    }

    @Test("a history without the older changes gives no delta")
    func forgotten() throws {
        let key = try SigningKey()
        var history = SnapshotHistory()
        let file = Array("{}".utf8)
        func change(_ number: Int) -> ManifestChange {
            .live(
                ManifestEntry(
                    host: "h\(number).example", activation: Int64(number), version: 1,
                    sha256: ContentHash(of: file), size: file.count))
        }
        let count = SnapshotHistory.maximumChanges + 5
        let manifest = try Manifest(activation: 0, entries: [])
            .changed(to: Int64(count), by: (1...count).map(change)).signing(by: key)
        history.add((1...count).map(change))
        #expect(try history.delta(after: 4, to: manifest) == nil)
        #expect(try history.delta(after: 5, to: manifest) == nil, "as long as the whole")
        let delta = try #require(try history.delta(after: Int64(count - 3), to: manifest))
        #expect(delta.count { $0 == UInt8(ascii: "\n") } == 4 + 3 + 1)
        #expect(try history.delta(after: Int64(count), to: manifest) == nil)
        #expect(try history.delta(after: Int64(count) + 1, to: manifest) == nil)
    }
}
