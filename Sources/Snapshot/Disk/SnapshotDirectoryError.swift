/// Why a snapshot's directory could not be read or changed. What was there before is still there.
public enum SnapshotDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A system call failed.
    case fileSystem(FileSystemError)
    /// Another process has held the lock of the directory named for longer than a change may take.
    case locked(String)
    /// The manifest on the disk is not one that is trusted.
    case manifest(ManifestError)
    /// The list of held entries beside the manifest is damaged.
    case damagedHeldEntries
    /// The manifest on the disk has a higher activation than the one to be stored: another process is ahead.
    case wentBack(stored: Int64, offered: Int64)

    /// Whether room is what is missing.
    public var isOutOfSpace: Bool {
        if case .fileSystem(let error) = self { error.isOutOfSpace } else { false }
    }

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .fileSystem(let error): isOutOfSpace ? "the disk is full: \(error)" : error.description
        case .locked(let path):
            "another process holds \(path)/lock: it is writing slowly, or has been stopped; this one tries again"
        case .manifest(let error): "on the disk: \(error)"
        case .damagedHeldEntries: "on the disk: the list of held entries is damaged"
        case .wentBack(let stored, let offered):
            "activation \(offered) is offered, but \(stored) is on the disk already"
        }
    }
}
