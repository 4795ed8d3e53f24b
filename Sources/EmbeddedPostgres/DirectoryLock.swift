import CLinux
import Glibc

/// Keeps a second Waymark away from the same data: held by an open file, so it ends with the process, however that ends.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Returns: nil when another process holds it.
    init?(_ path: String) throws(EmbeddedPostgresError) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .system(path: path, reason: SystemError.text) }
        descriptor = opened
        // From here on `deinit` closes it, also where this gives nil: a second close would hit whatever another thread
        // has opened meanwhile.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit {
        // A child that another thread is just starting holds a copy of the descriptor until it has become its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
