public import Snapshot

/// The source of a follower's snapshot: an API over HTTP, or a directory that another process fills.
public protocol SnapshotSource: Sendable {
    /// Returns the manifest or a delta. If the manifest still has this entity tag, returns `.notModified`.
    ///
    /// - Parameters:
    ///   - tag: The tag of the caller's manifest, or `nil` for none.
    ///   - wait: The time that the source may wait for a change. After it, the source must respond.
    func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer

    /// Returns the bytes of blobs, not verified. Omits blobs that the source does not have.
    ///
    /// - Parameter hashes: At most `BlobList.maximum` hashes.
    func blobs(_ hashes: [ContentHash]) async throws(SnapshotSourceError) -> [ContentHash: [UInt8]]

    /// Releases the source's resources. The source is not used afterwards.
    func close() async
}

/// A source's response to a request for the manifest.
public enum ManifestAnswer: Sendable, Hashable {
    /// The manifest has not changed.
    case notModified
    /// The signed bytes, not verified, and the tag for the next request.
    case manifest(signed: [UInt8], tag: String)
    /// A `ManifestDelta` that is based on the manifest with the tag `base`, and the tag for the next request.
    case delta([UInt8], base: String, tag: String)
}

/// An error of a request to a source.
public enum SnapshotSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The source does not respond, or its response is incomplete.
    case unreachable(String)
    /// The response took too long.
    case timedOut
    /// The source returned this HTTP status.
    case status(Int)
    /// The response was longer than allowed.
    case tooLarge
    /// The source does not have the blob.
    case missing
    /// The follower is stopping.
    case cancelled

    /// True if another request to this source would fail now too.
    var concernsTheSource: Bool {
        switch self {
        case .unreachable, .timedOut, .cancelled: true
        case .status(let status): status != 404 && status != 410
        case .tooLarge, .missing: false
        }
    }

    /// A short, stable name for the kind of fault, for counters.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .timedOut: "timed_out"
        case .status: "status"
        case .tooLarge: "too_large"
        case .missing: "missing"
        case .cancelled: "cancelled"
        }
    }

    /// The problem, as text. It contains no credential.
    public var description: String {
        switch self {
        case .unreachable(let why): "the snapshot's source does not answer: \(why)"
        case .timedOut: "the snapshot's source took too long"
        case .status(401), .status(403): "the snapshot's source refuses the consumer credential"
        case .status(let status): "the snapshot's source answered with status \(status)"
        case .tooLarge: "the snapshot's source sent more than allowed"
        case .missing: "the snapshot's source does not have it"
        case .cancelled: "cancelled"
        }
    }
}
