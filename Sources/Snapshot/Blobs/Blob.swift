internal import StrictJSON

/// The verified bytes of a published file, identified by their SHA-256.
///
/// A file is "whole" if it has the right hash and size, and is a well-formed JSON object. Serving checks only this and
/// does not lint, so a new lint rule can never remove a host's file.
public struct Blob: Hashable, Sendable {
    /// Apple's limit for an `apple-app-site-association` file, in bytes.
    public static let largest = 131_072
    /// The possible sizes of a file. `{}` is the shortest object.
    public static let sizes = 2...largest

    /// The SHA-256 of `bytes`.
    public let sha256: ContentHash
    /// The bytes of the file.
    public let bytes: [UInt8]

    /// Creates a blob from bytes that this process generated.
    public init(_ bytes: [UInt8]) throws(BlobError) {
        try self.init(bytes, sha256: ContentHash(of: bytes), size: bytes.count)
    }

    /// Creates a blob from bytes of another source, after verifying them.
    ///
    /// - Parameters:
    ///   - sha256: The required hash.
    ///   - size: The required number of bytes, or `nil` if only the hash is known.
    ///   - isKnownWhole: True if a file with this hash was found to be whole before. The bytes are then not parsed
    ///     again.
    public init(
        _ bytes: [UInt8], sha256: ContentHash, size: Int? = nil, isKnownWhole: Bool = false
    ) throws(BlobError) {
        guard Self.sizes.contains(bytes.count), size == nil || size == bytes.count else {
            throw .wrongSize(bytes.count)
        }
        guard ContentHash(of: bytes) == sha256 else { throw .wrongHash }
        guard isKnownWhole || Self.isWholeFile(bytes) else { throw .notAnObject }
        self.sha256 = sha256
        self.bytes = bytes
    }

    /// Returns true if the bytes are one well-formed JSON object. Published files are parsed leniently.
    public static func isWholeFile(_ bytes: [UInt8]) -> Bool {
        let limits = JSONLimits(
            bytes: largest, depth: 128, numberLength: largest, stringLength: largest, values: .max, marksInRow: largest)
        guard case .object = try? JSONValue(parsing: bytes, limits: limits, options: .lenient) else { return false }
        return true
    }
}

/// The reason why bytes are not the expected blob.
public enum BlobError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The size is not the expected one, or is not possible for a file.
    case wrongSize(Int)
    /// The bytes have a different hash.
    case wrongHash
    /// The bytes are not a well-formed JSON object.
    case notAnObject

    /// A short, stable name for the kind of fault, for counters.
    public var code: String {
        switch self {
        case .wrongSize: "wrong_size"
        case .wrongHash: "wrong_hash"
        case .notAnObject: "not_an_object"
        }
    }

    /// The problem, as text.
    public var description: String {
        switch self {
        case .wrongSize(let size): "the file has the wrong size: \(size) bytes"
        case .wrongHash: "the file's hash does not match its name"
        case .notAnObject: "the file is not a JSON object"
        }
    }
}
