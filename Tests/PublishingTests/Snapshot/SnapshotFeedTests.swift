import AASA
import Dispatch
import Postgres
import Snapshot
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

@Suite("Snapshot feed", .timeLimit(.minutes(3)))
struct SnapshotFeedTests {
    @Test("before anything is live, the manifest is empty and signed, with activation 0")
    func empty() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let signed = try await SnapshotFeed(store: test.store, key: key).manifest()
            let manifest = try Manifest(verifying: signed.bytes, trusted: [key.verificationKey])
            #expect(manifest.activation == 0)
            #expect(manifest.count == 0)
            #expect(manifest.isEmptied == false)
        }
    }

    @Test("the manifest has the live files by host, and verifies only with the installation's key")
    func contents() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            for name in ["b", "a-b", "a", "xn--mnchen-3ya"] {
                try await test.goLive(try await test.addDomain(name), path: "/\(name)")
            }
            _ = try await test.addDomain("never-published")
            let signed = try await feed.manifest()
            let manifest = try Manifest(verifying: signed.bytes, trusted: [key.verificationKey])
            #expect(manifest.activation == 4)
            #expect(
                manifest.entries.map(\.host)
                    == ["a", "a-b", "b", "xn--mnchen-3ya"].map { "\($0).example.com" }.sorted())
            #expect(manifest.entry(of: "a.example.com")?.activation == 3)
            #expect(manifest.entry(of: "a.example.com")?.version == 1)
            for entry in manifest.entries {
                let file = try #require(try await feed.blob(entry.sha256.bytes))
                #expect(BlobList.read(try await feed.blobs([entry.sha256.bytes])) == [entry.sha256: file])
                #expect(file.count == entry.size)
                #expect(ContentHash(of: file) == entry.sha256)
            }
            let stranger = try SigningKey().verificationKey
            #expect(throws: ManifestError.self) { try Manifest(verifying: signed.bytes, trusted: [stranger]) }
        }
    }

    @Test("the tag changes only when something has gone live")
    func tags() async throws {
        try await withPublishing { test in
            let feed = SnapshotFeed(store: test.store, key: try SigningKey())
            let empty = try await feed.manifest()
            #expect(try await feed.manifest().tag == empty.tag)
            let host = try await test.addDomain("www")
            try await test.draft(host, Sample.draft(path: "/x"))
            _ = try await test.freeze(host)
            _ = try await test.publish(host)
            #expect(try await feed.manifest().bytes == empty.bytes)
            #expect(try await test.worker.workOnce())
            let live = try await feed.manifest()
            #expect(live.tag != empty.tag)
            #expect(live.tag == Manifest.entityTag(of: live.bytes))
            try await test.draft(host, Sample.draft(path: "/y"))
            #expect(try await feed.manifest().bytes == live.bytes)
        }
    }

    @Test(
        "with another key the manifest is signed again immediately and gets another tag, and with the same key it does not"
    )
    func exchangedKey() async throws {
        try await withPublishing { test in
            let (old, new) = (try SigningKey(), try SigningKey())
            try await test.goLive(try await test.addDomain("www"), path: "/1")
            let feed = SnapshotFeed(store: test.store, key: old)
            let first = try await feed.manifest()
            await feed.sign(with: old)
            #expect(try await feed.manifest().bytes == first.bytes)
            await feed.sign(with: new)
            let second = try await feed.manifest()
            #expect(second.tag != first.tag)
            #expect(
                try Manifest(verifying: second.bytes, trusted: [new.verificationKey])
                    == Manifest(verifying: first.bytes, trusted: [old.verificationKey]))
        }
    }

    @Test("exchanging the key during a query loses no host")
    func keyDuringALook() async throws {
        try await withPublishing { test in
            let (old, new) = (try SigningKey(), try SigningKey())
            for name in ["a", "b"] { try await test.goLive(try await test.addDomain(name), path: "/1") }
            let feed = SnapshotFeed(store: test.store, key: old)
            _ = try await feed.manifest()
            let looking = try await test.database.owner.write { database in
                try database.execute("lock table claims in access exclusive mode")
                let looking = Task { try await feed.manifest() }
                // When the key changes, the query is running and waits for the lock.
                let changed = DispatchSemaphore(value: 0)
                Task {
                    _ = try await eventually { await feed.looks == 2 }
                    try await Task.sleep(for: .milliseconds(200))
                    await feed.sign(with: new)
                    changed.signal()
                }
                changed.wait()
                return looking
            }
            let found = try await looking.value
            let both = [old.verificationKey, new.verificationKey]
            #expect(try Manifest(verifying: found.bytes, trusted: both).count == 2)
            let next = try await feed.manifest()
            #expect(try Manifest(verifying: next.bytes, trusted: [new.verificationKey]).count == 2)
        }
    }

    @Test("a waiting consumer gets a change that another query found before the ring")
    func askedForMeanwhile() async throws {
        try await withPublishing { test in
            let feed = SnapshotFeed(store: test.store, key: try SigningKey())
            for turn in 1...3 {
                let known = try await feed.manifest()
                let waiting = Task { try await feed.manifest(unless: { $0 == known.tag }, wait: .seconds(600)) }
                #expect(try await eventually { await feed.waiting == 1 })
                try await test.goLive(try await test.addDomain("www-\(turn)"), path: "/1")
                let asked = try await feed.manifest()
                #expect(try await waiting.value.tag == asked.tag)
            }
        }
    }

    @Test("every feed of an installation produces the same bytes, so a consumer may use any")
    func deterministic() async throws {
        try await withPublishing { test in
            let key = try SigningKey()
            try await test.goLive(try await test.addDomain("www"), path: "/1")
            let first = try await SnapshotFeed(store: test.store, key: key).manifest()
            let second = try await SnapshotFeed(store: test.store, key: key).manifest()
            let trusted = [key.verificationKey]
            #expect(
                try Manifest(verifying: first.bytes, trusted: trusted)
                    == Manifest(verifying: second.bytes, trusted: trusted))
        }
    }

    @Test("a saved file that is not live is not served")
    func blobs() async throws {
        try await withPublishing { test in
            let feed = SnapshotFeed(store: test.store, key: try SigningKey())
            let host = try await test.addDomain("www")
            let frozen = try await test.freeze(host)
            #expect(try await feed.blob(frozen.sha256) == nil)
            #expect(try await feed.blob([]) == nil)
            _ = try await test.publish(host)
            #expect(try await test.worker.workOnce())
            #expect(try await feed.blob(frozen.sha256) == Sample.draft().association().bytes)
        }
    }

    @Test("feeds queried during publications never go back, and serve only complete manifests")
    func rising() async throws {
        try await withPublishing(connections: 10) { test in
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            let hosts = try (0..<40).map { try Host("h\($0).example.com") }
            try await test.write { tenant in
                for host in hosts {
                    _ = try tenant.createDomain(host)
                    _ = try tenant.claim(host)
                    _ = try tenant.freeze(
                        Sample.draft().association().bytes, of: host, draftRevision: 1, message: "",
                        report: ["passed": true])
                    _ = try tenant.createSample(host, version: 1)
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { while try await test.worker.workOnce() {} } }
                for _ in 0..<2 {
                    group.addTask {
                        var last: Int64 = 0
                        while last < 40 {
                            let signed = try await feed.manifest()
                            let manifest = try Manifest(verifying: signed.bytes, trusted: [key.verificationKey])
                            #expect(manifest.activation >= last)
                            #expect(manifest.count == Int(manifest.activation))
                            last = manifest.activation
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
