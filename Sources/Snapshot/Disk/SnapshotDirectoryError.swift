/// An error from reading or changing a snapshot directory. The previous content is unchanged.
public enum SnapshotDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A system call failed.
    case fileSystem(FileSystemError)
    /// Another process has held the directory's lock for too long.
    case locked(String)
    /// The manifest on the disk is not trusted.
    case manifest(ManifestError)
    /// The manifest's list of held entries is damaged.
    case damagedHeldEntries
    /// The manifest on the disk has a higher activation than the offered one, because another process is ahead.
    case wentBack(stored: Int64, offered: Int64)

    /// True if the disk is full.
    public var isOutOfSpace: Bool {
        if case .fileSystem(let error) = self { error.isOutOfSpace } else { false }
    }

    /// The problem, as text.
    public var description: String {
        switch self {
        case .fileSystem(let error): isOutOfSpace ? "the disk is full: \(error)" : error.description
        case .locked(let path):
            "another process holds \(path)/lock: it is slow or stopped; this process will try again"
        case .manifest(let error): "on the disk: \(error)"
        case .damagedHeldEntries: "on the disk: the list of held entries is damaged"
        case .wentBack(let stored, let offered):
            "activation \(offered) was offered, but \(stored) is already on the disk"
        }
    }
}
