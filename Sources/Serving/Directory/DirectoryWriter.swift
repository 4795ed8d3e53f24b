internal import Glibc
public import Logging
public import ServiceLifecycle
public import Snapshot

/// Writes the snapshot to a directory for nginx, Caddy and other web servers.
///
/// ```text
/// hosts/<host>            -> ../blobs/<sha256>.json, replaced in one step
/// blobs/<sha256>.json     each with a different modification time
/// manifest, held-…, state, tmp/, lock, writer.lock
/// ```
///
/// A web server needs only `hosts` and `blobs`. The directory writer follows the snapshot as the edge does. Two writers
/// could overwrite each other's changes, so a directory has only one writer. It holds a lock while it runs.
public struct DirectoryWriter: Service {
    /// The settings of a directory writer.
    public struct Configuration: Sendable {
        /// The directory. Only this writer may change it. It is created if missing. All users can read it, unless the
        /// process's umask prevents this.
        public var root: String
        /// The settings of the writer's follower.
        public var following: SnapshotFollower.Configuration

        /// Creates a configuration.
        public init(root: String, following: SnapshotFollower.Configuration = SnapshotFollower.Configuration()) {
            self.root = root
            self.following = following
        }
    }

    /// The writer's follower. Its `status` shows the writer's progress.
    public let follower: SnapshotFollower
    private let lock: WriterLock

    /// Creates a writer and locks the directory.
    ///
    /// - Parameters:
    ///   - trusted: The trusted keys. One of them must have signed the manifest.
    ///   - faults: For tests. Called at each step of every write.
    /// - Throws: `DirectoryWriterError.inUse` if another writer uses the directory.
    public init(
        configuration: Configuration, source: any SnapshotSource, trusted: [VerificationKey], logger: Logger,
        faults: @escaping FaultInjector = noFaults
    ) throws(DirectoryWriterError) {
        do throws(FileSystemError) {
            try DirectoryPath.create(configuration.root)
            guard let lock = try WriterLock("\(configuration.root)/writer.lock") else {
                throw FileSystemError(operation: "flock", path: configuration.root, code: EWOULDBLOCK)
            }
            self.lock = lock
        } catch {
            throw error.code == EWOULDBLOCK ? .inUse(configuration.root) : .directory(.fileSystem(error))
        }
        let directory: SnapshotDirectory
        let pointers: HostPointers
        do throws(SnapshotDirectoryError) {
            directory = try SnapshotDirectory(path: configuration.root, layout: .flat, faults: faults)
            do throws(FileSystemError) {
                pointers = try HostPointers(root: configuration.root, faults: faults)
            } catch {
                throw SnapshotDirectoryError.fileSystem(error)
            }
        } catch {
            throw .directory(error)
        }
        var following = configuration.following
        following.confirmsBeforeApplying = true
        follower = SnapshotFollower(
            configuration: following, source: source, directory: directory, trusted: trusted, consumer: pointers,
            logger: logger)
    }

    /// Updates the directory until the service group shuts down.
    public func run() async throws {
        try await follower.run()
    }
}

/// An error of a directory writer.
public enum DirectoryWriterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another directory writer uses this directory.
    case inUse(String)
    /// The directory cannot be read or written.
    case directory(SnapshotDirectoryError)

    /// The problem, as text.
    public var description: String {
        switch self {
        case .inUse(let path): "another directory writer uses \(path): a directory can have only one"
        case .directory(let error): error.description
        }
    }
}

/// A lock that is held as long as this object exists. It also ends with the process.
private final class WriterLock: Sendable {
    private let file: OpenFile

    /// Takes the lock. Returns `nil` if another process holds it.
    init?(_ path: String) throws(FileSystemError) {
        file = try OpenFile(path, flags: O_RDWR | O_CREAT)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw .last("flock", path)
        }
    }
}
