internal import Snapshot

/// Why a follower did not take over something it was offered. What was served before is served on.
enum SnapshotDoubt: Error, Hashable, CustomStringConvertible {
    /// The whole manifest is not to be trusted.
    case manifest(ManifestError)
    /// The delta does not lead to a manifest that is to be trusted: the whole is asked for next.
    case delta(ManifestError)
    /// The delta is for those who have another manifest: the whole is asked for next.
    case deltaOfAnother(base: String)
    /// The manifest is older than the one that was accepted last.
    case manifestWentBack(from: Int64, to: Int64)
    /// It has no host, does not say that this is meant, and there are hosts.
    case unexplainedEmptiness(activation: Int64)
    /// The host's activation is lower than the one that is served.
    case hostWentBack(host: String, from: Int64, to: Int64)
    /// The host's file or version changed under the same activation.
    case hostChangedInPlace(host: String, activation: Int64)
    /// The host is missing, and the manifest's activation has not risen.
    case hostVanished(host: String, activation: Int64)
    /// The bytes are not the blob that they should be.
    case blob(ContentHash, BlobError)
    /// The blob could not be fetched.
    case blobNotFetched(ContentHash, SnapshotSourceError)
    /// The source gives nothing.
    case source(SnapshotSourceError)
    /// The disk does not take or give it.
    case directory(SnapshotDirectoryError)

    /// A short name for the kind, stable, for the counter.
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

    /// Whether asking for another blob now would fail as well.
    var concernsTheSource: Bool {
        if case .blobNotFetched(_, let error) = self { error.concernsTheSource } else { false }
    }

    /// What is the same each time that it happens: the names of temporary files are not.
    var kind: SnapshotDoubt {
        guard case .directory(.fileSystem(let error)) = self else { return self }
        return .directory(.fileSystem(FileSystemError(operation: error.operation, path: "", code: error.code)))
    }

    var description: String {
        switch self {
        case .manifest(let error): error.description
        case .delta(let error): "by a delta: \(error)"
        case .deltaOfAnother(let base): "a delta from the manifest \(base) is offered, which is not the one at hand"
        case .manifestWentBack(let from, let to): "a manifest of activation \(to) is offered after \(from)"
        case .unexplainedEmptiness(let activation):
            "the manifest of activation \(activation) has no host and does not say that this is meant"
        case .hostWentBack(let host, let from, let to): "\(host) is offered at activation \(to) after \(from)"
        case .hostChangedInPlace(let host, let activation):
            "\(host) is offered with another file under the same activation \(activation)"
        case .hostVanished(let host, let activation):
            "\(host) is missing although the manifest's activation is still \(activation)"
        case .blob(let sha256, let error): "\(sha256): \(error)"
        case .blobNotFetched(let sha256, let error): "\(sha256): \(error)"
        case .source(let error): error.description
        case .directory(let error): error.description
        }
    }

    /// What is wrong, in one line of ASCII that is the same each time: for whoever sees the consumer from afar. It names
    /// no host, file, path or address, which may be those of others.
    var summary: String {
        switch self {
        case .manifest(let error): "the manifest offered is refused: \(error.words)"
        case .delta(let error): "the delta offered is refused: \(error.words)"
        case .deltaOfAnother: "the delta offered starts from another manifest than the one at hand"
        case .manifestWentBack, .unexplainedEmptiness: description
        case .hostWentBack: "a host is offered at a lower activation than before"
        case .hostChangedInPlace: "a host is offered with another file under the same activation"
        case .hostVanished: "a host is missing although the activation of the manifest is still the same"
        case .blob(_, let error): "a file is not the one that was published: \(error)"
        case .blobNotFetched(_, let error): "a file cannot be fetched: \(error.summary)"
        case .source(let error): error.summary
        case .directory(let error): error.summary
        }
    }
}

extension ManifestError {
    /// Its kind, in words.
    fileprivate var words: String { String(code.map { $0 == "_" ? " " : $0 }) }
}

extension SnapshotSourceError {
    /// What is wrong, without the address that does not answer.
    fileprivate var summary: String {
        if case .unreachable = self { "the source of the snapshot does not answer" } else { description }
    }
}

extension SnapshotDirectoryError {
    /// What is wrong, without a path.
    fileprivate var summary: String {
        switch self {
        case .fileSystem(let error) where error.isOutOfSpace: "the disk is full: \(error.reason)"
        case .fileSystem(let error): "the disk fails: \(error.operation): \(error.reason)"
        case .locked: "another process is writing to its directory, or has been stopped while it did"
        case .manifest(let error): "the manifest on the disk is refused: \(error.words)"
        case .damagedHeldEntries, .wentBack: description
        }
    }
}
