/// Why a key could not be read or made.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not the base64 of 32 bytes, or those bytes are no key.
    case malformed
    /// The key's file can be read by everybody on the machine. `path` says which.
    case readableByOthers(path: String)
    /// The file could not be read or written.
    case fileSystem(FileSystemError)

    /// What is wrong and what to do, in words. Never holds key material.
    public var description: String {
        switch self {
        case .malformed: "the key is not the base64 text of 32 bytes"
        case .readableByOthers(let path): "the key file \(path) can be read by everybody: chmod 600 \(path)"
        case .fileSystem(let error): error.description
        }
    }
}
