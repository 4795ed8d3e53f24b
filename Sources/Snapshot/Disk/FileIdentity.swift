internal import Glibc

/// Tells one file under a name from the next: a file put there by `rename` has another number.
package struct FileIdentity: Equatable, Sendable {
    private let inode: UInt
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil where nothing can be found under the name.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = status.st_ino
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
