internal import Glibc

/// The last complete snapshot on a disk. A consumer starts with it, and then contacts its source.
///
/// ```text
/// manifest            the signed manifest, as received
/// held-<hash>         entries of hosts that are still older than in the manifest with this hash
/// blobs/ab/<sha256>   the files (or blobs/<sha256>.json, see `BlobLayout`)
/// tmp/                unfinished files
/// lock                locked during every change here
/// ```
///
/// Every call waits for the disk, so do not use it on an event loop. Two processes can share a directory, for example a
/// new edge and the edge that it replaces.
public struct SnapshotDirectory: Sendable {
    /// The layout of the blobs' files.
    public enum BlobLayout: Sendable, CaseIterable {
        /// `blobs/ab/<sha256>`: for the edge and for copying.
        case fanned
        /// `blobs/<sha256>.json`, each with a different time. For web servers that identify a file's version by its
        /// time and size. A directory with this layout has only one writer.
        case flat

        /// The file of a blob, relative to the directory.
        package func path(of blob: ContentHash) -> String {
            switch self {
            case .fanned: "blobs/\(blob.hex.prefix(2))/\(blob.hex)"
            case .flat: "blobs/\(blob.hex).json"
            }
        }
    }

    /// The directory's path.
    public let path: String
    /// The layout of the blobs' files.
    public let layout: BlobLayout
    let writer: DurableWriter
    let newest = NewestBlobTime()
    private let lockTimeout: Duration

    /// Opens the directory at `path`. Creates it if it is missing. Removes temporary files of killed processes, unless
    /// another process holds the lock.
    ///
    /// - Parameters:
    ///   - lockTimeout: The longest time that a change waits while another process changes the directory.
    ///   - faults: For tests. Called at each step of every write.
    public init(
        path: String, layout: BlobLayout = .fanned, lockTimeout: Duration = .seconds(2),
        faults: @escaping FaultInjector = noFaults
    ) throws(SnapshotDirectoryError) {
        self.path = path
        self.layout = layout
        self.lockTimeout = lockTimeout
        writer = DurableWriter(temporaryDirectory: "\(path)/tmp", faults: faults)
        try translating { () throws(FileSystemError) in
            try DirectoryPath.create(path)
            try DirectoryPath.create("\(path)/tmp")
            try DirectoryPath.create("\(path)/blobs")
        }
        do {
            try locked { () throws(FileSystemError) in
                try writer.removeLitter()
                try removeLeftHeldLists()
            }
        } catch .locked {
            // The other process may still need its temporary files. For example, it may be about to rename them.
        }
    }

    var manifestPath: String { "\(path)/manifest" }

    func heldPath(of manifest: ContentHash) -> String { "\(path)/held-\(manifest.hex)" }

    /// The file of a blob, relative to `path`.
    package func relativePath(of blob: ContentHash) -> String { layout.path(of: blob) }

    func path(of blob: ContentHash) -> String { "\(path)/\(relativePath(of: blob))" }

    /// Runs `body` while no other process changes the directory. Throws `locked` if another process holds the lock for
    /// too long. Without this limit, a stopped process or a hanging disk would block all others.
    func locked<Result>(
        _ body: () throws(FileSystemError) -> Result
    ) throws(SnapshotDirectoryError) -> Result {
        let result: Result? = try translating { () throws(FileSystemError) in
            let lock = try OpenFile("\(path)/lock", flags: O_RDWR | O_CREAT)
            guard try take(lock) else { return nil }
            // Closing the descriptor releases the lock too, even if the process dies.
            defer { _ = flock(lock.descriptor, LOCK_UN) }
            return try body()
        }
        guard let result else { throw .locked(path) }
        return result
    }

    /// Takes the lock. Returns false if it was not free in time. Tries repeatedly, because `flock` has no time limit.
    private func take(_ lock: borrowing OpenFile) throws(FileSystemError) -> Bool {
        let deadline = ContinuousClock.now + lockTimeout
        while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .last("flock", lock.path) }
            guard ContinuousClock.now < deadline else { return false }
            usleep(2000)
        }
        return true
    }

    func translating<Result>(
        _ body: () throws(FileSystemError) -> Result
    ) throws(SnapshotDirectoryError) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw .fileSystem(error)
        }
    }
}
