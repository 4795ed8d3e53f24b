@testable import Serving
@testable import Snapshot

/// A source that says what a test wants.
actor FakeSource: SnapshotSource {
    private var signed: [UInt8]?
    private var blobs: [ContentHash: [UInt8]] = [:]
    private var failure: SnapshotSourceError?
    private(set) var manifestRequests = 0
    private(set) var blobRequests: [ContentHash] = []
    private(set) var isClosed = false
    private var beforeAnswer: (@Sendable (FakeSource) async -> Void)?

    /// Offers a manifest.
    func offer(_ signed: [UInt8]?) { self.signed = signed }

    /// Has these bytes under this hash, whatever they hash to.
    func put(_ bytes: [UInt8], as hash: ContentHash) { blobs[hash] = bytes }

    /// Has these files.
    func put(files numbers: ClosedRange<Int>) {
        for number in numbers { blobs[hash(number)] = file(number) }
    }

    /// Forgets a blob.
    func remove(_ hash: ContentHash) { blobs[hash] = nil }

    /// Fails from now on, or not any more.
    func fail(with failure: SnapshotSourceError?) { self.failure = failure }

    /// Runs once, when a blob has been asked for.
    func onNextBlob(_ action: @escaping @Sendable (FakeSource) async -> Void) { beforeAnswer = action }

    func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer {
        manifestRequests += 1
        if let failure { throw failure }
        guard let signed else { throw .missing }
        let found = Manifest.entityTag(of: signed)
        return found == tag ? .notModified : .manifest(signed: signed, tag: found)
    }

    func blob(_ sha256: ContentHash, size: Int) async throws(SnapshotSourceError) -> [UInt8] {
        blobRequests.append(sha256)
        if let action = beforeAnswer {
            beforeAnswer = nil
            await action(self)
        }
        if let failure { throw failure }
        guard let bytes = blobs[sha256] else { throw .missing }
        return bytes
    }

    func close() async { isClosed = true }
}
