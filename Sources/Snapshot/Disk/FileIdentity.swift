internal import Glibc

/// Identifies the file at a path. The identity changes if `rename` replaces the file.
package struct FileIdentity: Equatable, Sendable {
    private let inode: UInt
    private let seconds: Int
    private let nanoseconds: Int

    /// The identity of the file at `path`. Returns `nil` if the file does not exist.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = status.st_ino
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
