/// The reason why a key could not be read or created.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not the base64 of 32 bytes, or the bytes are not a valid key.
    case malformed
    /// All users of the machine can read the key file at `path`.
    case readableByOthers(path: String)
    /// The file could not be read or written.
    case fileSystem(FileSystemError)

    /// The problem and the remedy, as text. It never contains key material.
    public var description: String {
        switch self {
        case .malformed: "the key is not the base64 text of 32 bytes"
        case .readableByOthers(let path): "every user can read the key file \(path): run chmod 600 \(path)"
        case .fileSystem(let error): error.description
        }
    }
}
