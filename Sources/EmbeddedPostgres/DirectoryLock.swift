import CLinux
import Glibc

/// Prevents a second Waymark process from using the same data. The lock belongs to an open file, so it ends with the
/// process.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock. Returns `nil` if another process holds it.
    init?(_ path: String) throws(EmbeddedPostgresError) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .system(path: path, reason: SystemError.text) }
        descriptor = opened
        // From here on, `deinit` closes the file, even if this returns `nil`. So do not close it here: a second close
        // could affect a file that another thread has opened meanwhile.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit {
        // A child process that is starting has a copy of the descriptor until it runs its own program. So release the
        // lock explicitly.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
