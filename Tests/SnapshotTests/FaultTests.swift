import Glibc
import Synchronization
import Testing

@testable import Snapshot

/// Fails once, at the n-th step of a write, as the system could.
final class OneFault: Sendable {
    private let left: Atomic<Int>
    private let code: Int32

    init(at step: Int, code: Int32 = ENOSPC) {
        left = Atomic(step)
        self.code = code
    }

    /// Whether the step was reached.
    var wasHit: Bool { left.load(ordering: .relaxed) < 0 }

    var injector: FaultInjector {
        { [self] (point, path) throws(FileSystemError) in
            if left.wrappingSubtract(1, ordering: .relaxed).oldValue == 0 {
                throw FileSystemError(operation: point.rawValue, path: path, code: code)
            }
        }
    }
}

@Suite("Failures while writing")
struct FaultTests {
    let key: SigningKey

    init() throws { key = try SigningKey() }

    /// The step from activation 1 to 2, as a follower takes it.
    func advance(_ directory: SnapshotDirectory) throws {
        try directory.store([Blob(file(2)), Blob(file(3))])
        let manifest = try Manifest(
            activation: 2,
            entries: [entry("a.example", activation: 2, file: 2), entry("b.example", activation: 2, file: 3)])
        try directory.store(
            signed: manifest.signed(by: key), activation: 2, held: [entry("b.example", activation: 1, file: 1)])
    }

    func prepare(_ path: String) throws {
        let directory = try SnapshotDirectory(path: path)
        try directory.store([Blob(file(1))])
        let manifest = try Manifest(activation: 1, entries: [entry("a.example", activation: 1, file: 1)])
        try directory.store(signed: manifest.signed(by: key), activation: 1)
    }

    @Test("if any step fails, the directory holds one whole snapshot, and the next attempt succeeds", arguments: 0..<40)
    func everyStep(step: Int) throws {
        let root = try TemporaryDirectory()
        try prepare(root.path)
        let fault = OneFault(at: step)
        let faulty = try SnapshotDirectory(path: root.path, faults: fault.injector)
        do {
            try advance(faulty)
            #expect(!fault.wasHit)
        } catch let error as SnapshotDirectoryError {
            #expect(error.isOutOfSpace)
        }
        let stored = try #require(try faulty.load(trusted: [key.verificationKey]))
        for entry in Array(stored.manifest.entries) + stored.held {
            #expect(try faulty.blob(entry.sha256, size: entry.size) != nil)
        }
        #expect(stored.held.isEmpty == (stored.manifest.activation == 1))
        #expect(files(below: root.path + "/tmp").isEmpty)
        let sound = try SnapshotDirectory(path: root.path)
        try advance(sound)
        #expect(try sound.load(trusted: [key.verificationKey])?.manifest.activation == 2)
    }

    @Test("the test above covers every step")
    func enough() throws {
        let root = try TemporaryDirectory()
        try prepare(root.path)
        let fault = OneFault(at: 39)
        try advance(SnapshotDirectory(path: root.path, faults: fault.injector))
        #expect(!fault.wasHit)
    }

    @Test("many files, which are synchronized together, are whole or absent too", arguments: [1, 60, 120, 150, 170])
    func manyFiles(step: Int) throws {
        let root = try TemporaryDirectory()
        try prepare(root.path)
        let blobs = try (2..<2 + DurableWriter.manyFiles).map { try Blob(file($0)) }
        let fault = OneFault(at: step)
        let faulty = try SnapshotDirectory(path: root.path, faults: fault.injector)
        let error = #expect(throws: SnapshotDirectoryError.self) { try faulty.store(blobs) }
        #expect(error?.isOutOfSpace == true)
        #expect(files(below: root.path + "/tmp").isEmpty)
        for hash in try faulty.blobs() { #expect(try faulty.blob(hash) != nil) }
        try faulty.store(blobs)
        #expect(try faulty.blobs().count == blobs.count + 1)
    }

    /// Whether the test can mount a small disk on this machine: as root, and not in most containers.
    static let canMount: Bool = {
        guard let root = try? TemporaryDirectory(), mount("none", root.path, "tmpfs", 0, "size=64k") == 0 else {
            return false
        }
        return umount(root.path) == 0
    }()

    @Test("a full disk has its own error and leaves the old snapshot", .enabled(if: FaultTests.canMount))
    func fullDisk() throws {
        let root = try TemporaryDirectory()
        try #require(mount("none", root.path, "tmpfs", 0, "size=256k") == 0)
        defer { umount2(root.path, Int32(MNT_DETACH)) }
        try prepare(root.path)
        let directory = try SnapshotDirectory(path: root.path)
        let filler = Array("{\"a\":\"\(String(repeating: "x", count: 100_000))\"}".utf8)
        let other = Array("{\"b\":\"\(String(repeating: "y", count: 100_000))\"}".utf8)
        let third = Array("{\"c\":\"\(String(repeating: "z", count: 100_000))\"}".utf8)
        let error = #expect(throws: SnapshotDirectoryError.self) {
            try directory.store([Blob(filler), Blob(other), Blob(third)])
        }
        #expect(error?.isOutOfSpace == true)
        #expect(try directory.load(trusted: [key.verificationKey])?.manifest.activation == 1)
        #expect(try directory.blob(ContentHash(of: third)) == nil)
        #expect(files(below: root.path + "/tmp").isEmpty)
    }
}
