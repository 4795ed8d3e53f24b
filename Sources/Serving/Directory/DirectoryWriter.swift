internal import Glibc
public import Logging
public import ServiceLifecycle
public import Snapshot

/// Lays the snapshot out in a directory for nginx, Caddy and other web servers.
///
/// ```text
/// hosts/<host>            -> ../blobs/<sha256>.json, replaced in one step
/// blobs/<sha256>.json     each with a time of its own
/// manifest, held-…, state, tmp/, lock, keeper.lock
/// ```
///
/// A web server needs `hosts` and `blobs` only. The keeper follows as the edge does; a directory has no compare-and-set,
/// so there is one keeper for each, with a lock for as long as it lives.
public struct DirectoryWriter: Service {
    /// What a keeper needs to know.
    public struct Configuration: Sendable {
        /// The directory that it owns; made where it is missing. Readable by all, if the process's umask lets it be.
        public var root: String
        /// How it follows.
        public var following: SnapshotFollower.Configuration

        /// A configuration.
        public init(root: String, following: SnapshotFollower.Configuration = SnapshotFollower.Configuration()) {
            self.root = root
            self.following = following
        }
    }

    /// What it follows with; its `status` tells how far it has got.
    public let follower: SnapshotFollower
    private let lock: WriterLock

    /// A keeper of a directory, which is locked from now on.
    ///
    /// - Parameters:
    ///   - trusted: the keys of which one must have signed a manifest.
    ///   - faults: for tests: called at each step of every write.
    /// - Throws: `DirectoryWriterError.isKept` where another keeper lives.
    public init(
        configuration: Configuration, source: any SnapshotSource, trusted: [VerificationKey], logger: Logger,
        faults: @escaping FaultInjector = noFaults
    ) throws(DirectoryWriterError) {
        do throws(FileSystemError) {
            try DirectoryPath.create(configuration.root)
            guard let lock = try WriterLock("\(configuration.root)/keeper.lock") else {
                throw FileSystemError(operation: "flock", path: configuration.root, code: EWOULDBLOCK)
            }
            self.lock = lock
        } catch {
            throw error.code == EWOULDBLOCK ? .isKept(configuration.root) : .directory(.fileSystem(error))
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

    /// Keeps the directory until the service group shuts down.
    public func run() async throws {
        try await follower.run()
    }
}

/// Why a directory cannot be kept.
public enum DirectoryWriterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another keeper has this directory.
    case isKept(String)
    /// It cannot be read or written.
    case directory(SnapshotDirectoryError)

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .isKept(let path): "another keeper has the directory \(path): there can be only one for each"
        case .directory(let error): error.description
        }
    }
}

/// A lock that lasts as long as this object, or the process.
private final class WriterLock: Sendable {
    private let file: OpenFile

    /// Nil where somebody else has it.
    init?(_ path: String) throws(FileSystemError) {
        file = try OpenFile(path, flags: O_RDWR | O_CREAT)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw .last("flock", path)
        }
    }
}
