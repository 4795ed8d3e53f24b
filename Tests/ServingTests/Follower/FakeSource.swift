@testable import Serving
@testable import Snapshot

/// A source that answers as the test wants.
actor FakeSource: SnapshotSource {
    private(set) var signed: [UInt8]?
    private var blobs: [ContentHash: [UInt8]] = [:]
    private var failure: SnapshotSourceError?
    private var fatal: ContentHash?
    private(set) var manifestRequests = 0
    private(set) var blobRequests: [ContentHash] = []
    private(set) var isClosed = false
    /// Deltas by the tag of the manifest from which they start.
    private var deltas: [String: [UInt8]] = [:]
    private(set) var deltasGiven = 0
    /// The tags of the requests.
    private(set) var tags: [String?] = []
    private var beforeAnswer: (@Sendable (FakeSource) async -> Void)?

    /// Offers a manifest.
    func offer(_ signed: [UInt8]?) { self.signed = signed }

    /// Offers a delta to the current manifest to a caller with this tag.
    func offer(delta: [UInt8], from tag: String) { deltas[tag] = delta }

    /// Stores these bytes under this hash, even if it is not theirs.
    func put(_ bytes: [UInt8], as hash: ContentHash) { blobs[hash] = bytes }

    /// Stores these files.
    func put(files numbers: ClosedRange<Int>) {
        for number in numbers { blobs[hash(number)] = file(number) }
    }

    /// Removes a blob.
    func remove(_ hash: ContentHash) { blobs[hash] = nil }

    /// Fails from now on; stops failing if `failure` is nil.
    func fail(with failure: SnapshotSourceError?) { self.failure = failure }

    /// Fails every request that includes this blob.
    func fail(whenAskedFor hash: ContentHash?) { fatal = hash }

    /// Runs `action` once, at the next request for a blob.
    func onNextBlob(_ action: @escaping @Sendable (FakeSource) async -> Void) { beforeAnswer = action }

    func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer {
        manifestRequests += 1
        tags.append(tag)
        if let failure { throw failure }
        guard let signed else { throw .missing }
        let found = Manifest.entityTag(of: signed)
        if found == tag { return .notModified }
        if let tag, let delta = deltas[tag] {
            deltasGiven += 1
            return .delta(delta, base: tag, tag: found)
        }
        return .manifest(signed: signed, tag: found)
    }

    func blobs(_ hashes: [ContentHash]) async throws(SnapshotSourceError) -> [ContentHash: [UInt8]] {
        blobRequests += hashes
        if let action = beforeAnswer {
            beforeAnswer = nil
            await action(self)
        }
        if let failure { throw failure }
        if let fatal, hashes.contains(fatal) { throw .status(500) }
        return blobs.filter { hashes.contains($0.key) }
    }

    func close() async { isClosed = true }
}
