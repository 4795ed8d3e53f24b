internal import Glibc

/// The last known good snapshot on a disk: what a consumer starts from when nothing else answers.
///
/// ```text
/// manifest            the signed manifest, as received
/// held-<hash>         hosts that are still on an older entry than that manifest has; named after its bytes
/// blobs/ab/<sha256>   the files (or blobs/<sha256>.json, see `BlobLayout`)
/// tmp/                unfinished files
/// lock                held while anything here is changed
/// ```
///
/// Every call reads or writes files and waits for the disk: not for an event loop. Two processes may share a directory,
/// as a new edge and the one that it replaces do.
public struct SnapshotDirectory: Sendable {
    /// How blobs are named.
    public enum BlobLayout: Sendable, CaseIterable {
        /// `blobs/ab/<sha256>`: for the edge and for copying.
        case fanned
        /// `blobs/<sha256>.json`, each with a time of its own: for web servers that take a file's time and size for its
        /// version. Such a directory has one writer.
        case flat

        /// The file of a blob, relative to the directory.
        package func path(of blob: ContentHash) -> String {
            switch self {
            case .fanned: "blobs/\(blob.hex.prefix(2))/\(blob.hex)"
            case .flat: "blobs/\(blob.hex).json"
            }
        }
    }

    /// Where it is.
    public let path: String
    /// How blobs are named.
    public let layout: BlobLayout
    let writer: DurableWriter
    let newest = NewestBlobTime()
    private let lockTimeout: Duration

    /// The directory at `path`, made where it is missing. Removes what killed runs left, unless another process has the lock
    /// just now: to read takes none.
    ///
    /// - Parameters:
    ///   - lockTimeout: how long a change waits for another process that changes the directory.
    ///   - faults: for tests: called at each step of every write.
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
            // What lies there may be no litter but what the other one is about to rename.
        }
    }

    var manifestPath: String { "\(path)/manifest" }

    func heldPath(of manifest: ContentHash) -> String { "\(path)/held-\(manifest.hex)" }

    /// The file of a blob, relative to `path`.
    package func relativePath(of blob: ContentHash) -> String { layout.path(of: blob) }

    func path(of blob: ContentHash) -> String { "\(path)/\(relativePath(of: blob))" }

    /// Runs `body` while no other process changes the directory. Throws `locked` when another one holds the lock too long:
    /// one that has been stopped, or whose disk does not answer, would hold up all others for as long.
    func locked<Result>(
        _ body: () throws(FileSystemError) -> Result
    ) throws(SnapshotDirectoryError) -> Result {
        let result: Result? = try translating { () throws(FileSystemError) in
            let lock = try OpenFile("\(path)/lock", flags: O_RDWR | O_CREAT)
            guard try take(lock) else { return nil }
            // The lock goes with the descriptor, whatever way this ends, the process's death among them.
            defer { _ = flock(lock.descriptor, LOCK_UN) }
            return try body()
        }
        guard let result else { throw .locked(path) }
        return result
    }

    /// Whether the lock could be had in time. There is no waiting for it with a deadline, so it is asked for again and again.
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
