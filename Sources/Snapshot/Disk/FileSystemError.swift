internal import Glibc

/// A failed system call on a file: the call, the path, and `errno`.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the system call, as in its manual page.
    public let operation: String
    /// The path of the file.
    public let path: String
    /// The value of `errno`.
    public let code: Int32

    /// Creates an error for the system call `operation` on `path`.
    public init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// True if the disk is full (`ENOSPC`, `EDQUOT`). Writing may succeed later.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// The system's text for the code, for example "No space left on device".
    public var reason: String { String(cString: strerror(code)) }

    /// For example "write /var/lib/waymark/edge/tmp/12: No space left on device".
    public var description: String { "\(operation) \(path): \(reason)" }

    /// The error for the current value of `errno`.
    package static func last(_ operation: String, _ path: String) -> FileSystemError {
        FileSystemError(operation: operation, path: path, code: errno)
    }
}
