public import Snapshot

/// Where a follower gets the snapshot: an API over HTTP, or a directory that others fill.
public protocol SnapshotSource: Sendable {
    /// The manifest, unless it is still the one with this entity tag; or the way to it from that one.
    ///
    /// - Parameters:
    ///   - tag: the tag of the manifest at hand; nil for none.
    ///   - wait: how long the source may take to say that nothing has changed.
    func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer

    /// The bytes of blobs, not verified; those that the source does not have are left out.
    ///
    /// - Parameter hashes: at most `BlobList.most`.
    func blobs(_ hashes: [ContentHash]) async throws(SnapshotSourceError) -> [ContentHash: [UInt8]]

    /// Gives back what the source holds; it is not asked again.
    func close() async
}

/// What a source says when it is asked for the manifest.
public enum ManifestAnswer: Sendable, Hashable {
    /// It is still the one that the asker has.
    case notModified
    /// Its signed bytes, not verified, and the tag to ask with next time.
    case manifest(signed: [UInt8], tag: String)
    /// The way to it, as a `ManifestDelta`, from the manifest with the tag `base`, and the tag to ask with next time.
    case delta([UInt8], base: String, tag: String)
}

/// Why a source gave nothing.
public enum SnapshotSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody answers, or not to the end.
    case unreachable(String)
    /// It took too long.
    case timedOut
    /// It answered with this HTTP status.
    case status(Int)
    /// It answered with more bytes than allowed.
    case tooLarge
    /// It does not have what was asked for.
    case missing
    /// The follower is ending.
    case cancelled

    /// Whether asking for something else now would fail as well.
    var concernsTheSource: Bool {
        switch self {
        case .unreachable, .timedOut, .cancelled: true
        case .status(let status): status != 404 && status != 410
        case .tooLarge, .missing: false
        }
    }

    /// A short name for the kind of fault, stable, for counters.
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

    /// What is wrong, in words. Holds no credential.
    public var description: String {
        switch self {
        case .unreachable(let why): "the snapshot's source does not answer: \(why)"
        case .timedOut: "the snapshot's source took too long"
        case .status(401), .status(403): "the snapshot's source refuses the consumer credential"
        case .status(let status): "the snapshot's source answered with status \(status)"
        case .tooLarge: "the snapshot's source sent more than is allowed"
        case .missing: "the snapshot's source does not have it"
        case .cancelled: "cancelled"
        }
    }
}
