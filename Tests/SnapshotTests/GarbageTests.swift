import Glibc
import Testing

@testable import Snapshot

@Suite("Garbage collection")
struct GarbageTests {
    let root: TemporaryDirectory

    init() throws { root = try TemporaryDirectory() }

    func hash(_ number: Int) -> ContentHash { ContentHash(of: file(number)) }

    @Test("a blob is removed when it has been unwanted for the grace period, not earlier", arguments: [true, false])
    func grace(isFlat: Bool) throws {
        let directory = try SnapshotDirectory(path: root.path, layout: isFlat ? .flat : .fanned)
        try directory.store([Blob(file(1)), Blob(file(2))])
        age(directory, 1)
        age(directory, 2)
        var garbage = BlobGarbage()
        func collect(_ wanted: Set<ContentHash>, at now: Int64) throws -> Int {
            try directory.collectGarbage(keeping: wanted, garbage: &garbage, now: now, grace: 60)
        }
        #expect(try collect([hash(1)], at: 0) == 0)
        #expect(try collect([hash(1)], at: 59) == 0)
        #expect(try collect([hash(1), hash(2)], at: 60) == 0)
        #expect(try collect([hash(1)], at: 61) == 0)
        #expect(try collect([hash(1)], at: 120) == 0)
        #expect(try collect([hash(1)], at: 121) == 1)
        #expect(try directory.blobs() == [hash(1)])
    }

    @Test("a blob that another process has just stored stays")
    func young() throws {
        let directory = try SnapshotDirectory(path: root.path)
        try directory.store([Blob(file(1))])
        var garbage = BlobGarbage()
        try directory.collectGarbage(keeping: [], garbage: &garbage, now: 0, grace: 60)
        try directory.collectGarbage(keeping: [], garbage: &garbage, now: 100, grace: 60)
        #expect(try directory.blobs() == [hash(1)])
    }

    private func age(_ directory: SnapshotDirectory, _ number: Int) {
        let old = timespec(tv_sec: time(nil) - 1000, tv_nsec: 0)
        utimensat(AT_FDCWD, "\(root.path)/\(directory.relativePath(of: hash(number)))", [old, old], 0)
    }
}
