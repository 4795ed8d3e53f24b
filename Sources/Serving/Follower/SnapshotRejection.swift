internal import Snapshot

/// The reason why a follower rejected a manifest or file. It continues to serve the previous one.
enum SnapshotRejection: Error, Hashable, CustomStringConvertible {
    /// The whole manifest cannot be trusted.
    case manifest(ManifestError)
    /// Applying the delta did not give a trusted manifest. The whole manifest is requested next.
    case delta(ManifestError)
    /// The delta is based on a different manifest. The whole manifest is requested next.
    case deltaOfAnother(base: String)
    /// The manifest is older than the last accepted one.
    case manifestWentBack(from: Int64, to: Int64)
    /// The manifest has no hosts although hosts are being served, and it does not declare that this is intended.
    case unexplainedEmptiness(activation: Int64)
    /// The host's activation is lower than the served one.
    case hostWentBack(host: String, from: Int64, to: Int64)
    /// The host's file or version changed without a new activation.
    case hostChangedInPlace(host: String, activation: Int64)
    /// The host is missing, but the manifest's activation has not increased.
    case hostVanished(host: String, activation: Int64)
    /// The bytes are not those of the expected blob.
    case blob(ContentHash, BlobError)
    /// The blob could not be fetched.
    case blobNotFetched(ContentHash, SnapshotSourceError)
    /// The source failed.
    case source(SnapshotSourceError)
    /// The disk failed.
    case directory(SnapshotDirectoryError)

    /// A short, stable name for the kind, for the counter.
    var code: String {
        switch self {
        case .manifest(let error): "manifest_\(error.code)"
        case .delta(let error): "delta_\(error.code)"
        case .deltaOfAnother: "delta_of_another"
        case .manifestWentBack: "manifest_went_back"
        case .unexplainedEmptiness: "unexplained_emptiness"
        case .hostWentBack: "host_went_back"
        case .hostChangedInPlace: "host_changed_in_place"
        case .hostVanished: "host_vanished"
        case .blob(_, let error): "blob_\(error.code)"
        case .blobNotFetched(_, let error): "blob_\(error.code)"
        case .source(let error): "source_\(error.code)"
        case .directory: "directory"
        }
    }

    /// True if a request for another blob would fail now too.
    var concernsTheSource: Bool {
        if case .blobNotFetched(_, let error) = self { error.concernsTheSource } else { false }
    }

    /// The rejection without details that differ each time, such as names of temporary files.
    var kind: SnapshotRejection {
        guard case .directory(.fileSystem(let error)) = self else { return self }
        return .directory(.fileSystem(FileSystemError(operation: error.operation, path: "", code: error.code)))
    }

    var description: String {
        switch self {
        case .manifest(let error): error.description
        case .delta(let error): "by a delta: \(error)"
        case .deltaOfAnother(let base): "a delta from the manifest \(base) was offered, but another manifest is in use"
        case .manifestWentBack(let from, let to): "a manifest with activation \(to) was offered after \(from)"
        case .unexplainedEmptiness(let activation):
            "the manifest of activation \(activation) has no host and does not say that this is intended"
        case .hostWentBack(let host, let from, let to): "\(host) was offered at activation \(to) after \(from)"
        case .hostChangedInPlace(let host, let activation):
            "\(host) was offered with another file under the same activation \(activation)"
        case .hostVanished(let host, let activation):
            "\(host) is missing, but the manifest's activation is still \(activation)"
        case .blob(let sha256, let error): "\(sha256): \(error)"
        case .blobNotFetched(let sha256, let error): "\(sha256): \(error)"
        case .source(let error): error.description
        case .directory(let error): error.description
        }
    }

    /// The problem as one line of ASCII, which the dashboard shows to members. The same problem always has the same
    /// text. It contains no host, file, path or address, because these could belong to other organizations.
    var summary: String {
        switch self {
        case .manifest(let error): "the offered manifest was rejected: \(error.words)"
        case .delta(let error): "the offered delta was rejected: \(error.words)"
        case .deltaOfAnother: "the offered delta starts from another manifest than the one in use"
        case .manifestWentBack, .unexplainedEmptiness: description
        case .hostWentBack: "a host was offered at a lower activation than before"
        case .hostChangedInPlace: "a host was offered with another file under the same activation"
        case .hostVanished: "a host is missing, but the manifest's activation is still the same"
        case .blob(_, let error): "a file is not the published one: \(error)"
        case .blobNotFetched(_, let error): "a file cannot be fetched: \(error.summary)"
        case .source(let error): error.summary
        case .directory(let error): error.summary
        }
    }
}

extension ManifestError {
    /// The kind of fault, as text.
    fileprivate var words: String { String(code.map { $0 == "_" ? " " : $0 }) }
}

extension SnapshotSourceError {
    /// The problem, without the address of the source.
    fileprivate var summary: String {
        if case .unreachable = self { "the source of the snapshot does not answer" } else { description }
    }
}

extension SnapshotDirectoryError {
    /// The problem, without a path.
    fileprivate var summary: String {
        switch self {
        case .fileSystem(let error) where error.isOutOfSpace: "the disk is full: \(error.reason)"
        case .fileSystem(let error): "the disk failed: \(error.operation): \(error.reason)"
        case .locked: "another process is writing to its directory, or was stopped while writing"
        case .manifest(let error): "the manifest on the disk was rejected: \(error.words)"
        case .damagedHeldEntries, .wentBack: description
        }
    }
}
