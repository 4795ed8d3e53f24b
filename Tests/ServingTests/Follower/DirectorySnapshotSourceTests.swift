import Testing

@testable import Serving
@testable import Snapshot

@Suite("Snapshot from a directory")
struct DirectorySnapshotSourceTests {
    @Test(
        "a snapshot stored by an edge or a directory writer is found, also while waiting, and nothing else",
        arguments: SnapshotDirectory.BlobLayout.allCases)
    func reads(layout: SnapshotDirectory.BlobLayout) async throws {
        let root = try TemporaryDirectory()
        let key = try SigningKey()
        let source = DirectorySnapshotSource(path: root.path, interval: .milliseconds(5))
        await #expect(throws: SnapshotSourceError.missing) { try await source.manifest(unless: nil, wait: .zero) }
        let directory = try SnapshotDirectory(path: root.path, layout: layout)
        let first = try Manifest(activation: 1, entries: []).signed(by: key)
        try directory.store(signed: first, activation: 1)
        let tag = Manifest.entityTag(of: first)
        #expect(try await source.manifest(unless: nil, wait: .zero) == .manifest(signed: first, tag: tag))
        #expect(try await source.manifest(unless: tag, wait: .milliseconds(20)) == .notModified)
        let second = try Manifest(activation: 2, entries: [entry("a.example", activation: 2)]).signed(by: key)
        async let answer = source.manifest(unless: tag, wait: .seconds(60))
        try await Task.sleep(for: .milliseconds(30))
        try directory.store([Blob(file(1))])
        try directory.store(signed: second, activation: 2)
        #expect(try await answer == .manifest(signed: second, tag: Manifest.entityTag(of: second)))
        #expect(try await source.blobs([hash(1), hash(2)]) == [hash(1): file(1)])
    }
}
