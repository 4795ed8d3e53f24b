import Glibc
import NIOCore
import Testing

@testable import Serving
@testable import Snapshot

/// Faulty blobs, and disks that fail.
extension FollowerTests {
    static let bad: [[UInt8]?] = [
        nil, [], file(8), Array(#"["applinks"]"#.utf8), Array(file(3).dropLast()), file(3) + [0x20],
        [UInt8](repeating: 0x20, count: 200_000),
    ]

    @Test(
        "a blob that is missing, cut, too large or has another hash holds back its host and no other",
        arguments: bad)
    func badBlob(bytes: [UInt8]?) async throws {
        try await prepare()
        if let bytes { await source.put(bytes, as: hash(3)) } else { await source.remove(hash(3)) }
        try await offer(
            4,
            [
                entry("a.example", activation: 3, version: 2, file: 3), entry("b.example", activation: 4, file: 4),
                entry("c.example", activation: 4, file: 3),
            ])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 4 }
        #expect(body("a.example") == file(1))
        #expect(body("b.example") == file(4))
        // A published host without a file must not be unknown.
        #expect(isUnavailable("c.example", in: table))
        #expect(follower.status.held == 1 && follower.status.unavailable == 1)

        let table = LiveTable()
        let next = try self.follower(table)
        await next.start()
        #expect(body("a.example", in: table) == file(1))
        #expect(isUnavailable("c.example", in: table))

        await source.put(files: 3...3)
        try await run(next) { next.status.held == 0 && next.status.unavailable == 0 }
        #expect(body("a.example", in: table) == file(3))
        #expect(body("c.example", in: table) == file(3))
    }

    @Test("bytes with the right hash that are not a JSON object are refused")
    func notAnObject() async throws {
        try await prepare()
        let bytes = Array("[1,2,3]".utf8)
        let list = ManifestEntry(
            host: "a.example", activation: 3, version: 2, sha256: ContentHash(of: bytes), size: bytes.count)
        await source.put(bytes, as: list.sha256)
        try await offer(3, [list, entry("b.example", activation: 2, file: 2)])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 3 }
        #expect(body("a.example") == file(1))
        #expect(follower.status.trouble?.contains("not a JSON object") == true)
    }

    @Test("a blob damaged on the disk is fetched again; until then its host is unavailable, not unknown")
    func rot() async throws {
        try await prepare()
        put(file(9), at: "\(root.path)/blobs/\(hash(1).hex.prefix(2))/\(hash(1).hex)")
        let table = LiveTable()
        let follower = try follower(table)
        await follower.start()
        #expect(isUnavailable("a.example", in: table))
        #expect(body("b.example", in: table) == file(2))
        try await run(follower) { follower.status.unavailable == 0 }
        #expect(body("a.example", in: table) == file(1))
    }

    @Test("if the manifest on the disk is damaged, it serves nothing until the source answers")
    func damagedManifest() async throws {
        try await prepare()
        put(Array("rubbish".utf8), at: "\(root.path)/manifest")
        let table = LiveTable()
        let follower = try follower(table)
        await follower.start()
        #expect(table.current == nil)
        try await run(follower) { follower.status.activation == 2 }
        #expect(body("a.example", in: table) == file(1))
    }

    @Test("if any step of writing fails, the old file is served, and after a success the new one", arguments: 0..<25)
    func fullDisk(step: Int) async throws {
        try await prepare()
        try await offer(
            3, [entry("a.example", activation: 3, file: 3), entry("b.example", activation: 2, file: 2)])
        let fault = OneFault(at: step)
        let follower = try follower(faults: fault.injector)
        await follower.start()
        #expect(body("a.example") == file(1))
        try await run(follower) { follower.status.activation == 3 }
        #expect(body("a.example") == file(3))
        #expect(files(below: root.path + "/tmp").isEmpty)
    }

    @Test("nothing is served before it is on the disk")
    func diskFirst() async throws {
        try await prepare()
        try await offer(
            3, [entry("a.example", activation: 3, file: 3), entry("b.example", activation: 2, file: 2)])
        let follower = try follower { (point, path) throws(FileSystemError) in
            if path.hasSuffix("/manifest") {
                throw FileSystemError(operation: point.rawValue, path: path, code: ENOSPC)
            }
        }
        try await runSome(follower)
        #expect(body("a.example") == file(1))
        #expect(follower.status.activation == 2)
        #expect(follower.status.trouble == "the disk is full: No space left on device")
    }

    @Test("a manifest is written when its files are on the disk, not before")
    func filesFirst() async throws {
        try await prepare()
        try await offer(
            3, [entry("a.example", activation: 3, file: 3), entry("b.example", activation: 2, file: 2)])
        let stored = try SnapshotDirectory(path: root.path)
        let follower = try follower { (point, path) throws(FileSystemError) in
            guard path.hasSuffix("/manifest") else { return }
            #expect((try? stored.blob(hash(3))) != nil, "the manifest is at \(point)")
        }
        try await run(follower) { follower.status.activation == 3 }
    }

    @Test("many blobs arrive, and the rest is requested later if the source fails in the middle")
    func manyBlobs() async throws {
        await source.put(files: 1...300)
        try await offer(1, (1...300).map { entry("h\($0).example", activation: 1, file: $0) })
        await source.onNextBlob { source in await source.fail(with: .timedOut) }
        let follower = try follower()
        try await run(follower) { await source.blobRequests.count > 0 && follower.status.unavailable > 0 }
        await source.fail(with: nil)
        try await run(follower) { follower.status.unavailable == 0 && follower.status.hosts == 300 }
        #expect((1...300).allSatisfy { body("h\($0).example") == file($0) })
    }

    @Test("if every request for one blob fails, no other blob is delayed")
    func fatalBlob() async throws {
        await source.put(files: 1...300)
        await source.fail(whenAskedFor: hash(150))
        try await offer(1, (1...300).map { entry("h\($0).example", activation: 1, file: $0) })
        let follower = try follower()
        try await run(follower) { follower.status.unavailable == 1 }
        #expect(isUnavailable("h150.example", in: table))
        await source.fail(whenAskedFor: nil)
        try await run(follower) { follower.status.unavailable == 0 }
        #expect((1...300).allSatisfy { body("h\($0).example") == file($0) })
    }
}
