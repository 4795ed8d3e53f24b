/// Why a key could not be read or created.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not the base64 of 32 bytes, or the bytes are not a valid key.
    case malformed
    /// Every user of the machine can read the key's file at `path`.
    case readableByOthers(path: String)
    /// The file could not be read or written.
    case fileSystem(FileSystemError)

    /// The problem and what to do, in words. It never contains key material.
    public var description: String {
        switch self {
        case .malformed: "the key is not the base64 text of 32 bytes"
        case .readableByOthers(let path): "every user can read the key file \(path): run chmod 600 \(path)"
        case .fileSystem(let error): error.description
        }
    }
}
