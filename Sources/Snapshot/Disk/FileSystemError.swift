internal import Glibc

/// A system call on a file that failed: which, on what, and with what `errno`.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, as its manual page names it.
    public let operation: String
    /// What it was called on.
    public let path: String
    /// The value of `errno`.
    public let code: Int32

    /// An error of `operation` on `path`.
    public init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Whether room is what is missing (`ENOSPC`, `EDQUOT`): writing may succeed later, and nothing is broken.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// What the system says of the code, for example "No space left on device".
    public var reason: String { String(cString: strerror(code)) }

    /// For example "write /var/lib/waymark/edge/tmp/12: No space left on device".
    public var description: String { "\(operation) \(path): \(reason)" }

    /// The error that `errno` names now.
    package static func last(_ operation: String, _ path: String) -> FileSystemError {
        FileSystemError(operation: operation, path: path, code: errno)
    }
}
