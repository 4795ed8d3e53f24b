internal import StrictJSON

/// A published file's bytes, named by their SHA-256, and known to be whole.
///
/// "Whole" is all that the serving tier asks: the hash, the size, and a well-formed JSON object. It does not lint, so
/// that a rule made since can never blank a host.
public struct Blob: Hashable, Sendable {
    /// Apple's limit for an `apple-app-site-association` file, in bytes.
    public static let largest = 131_072
    /// The sizes that a file can have: `{}` is the shortest object.
    public static let sizes = 2...largest

    /// The SHA-256 of `bytes`.
    public let sha256: ContentHash
    /// The file.
    public let bytes: [UInt8]

    /// A blob of bytes that a publisher has made.
    public init(_ bytes: [UInt8]) throws(BlobError) {
        try self.init(bytes, sha256: ContentHash(of: bytes), size: bytes.count)
    }

    /// A blob of bytes that came from elsewhere, after checking that they are the ones meant.
    ///
    /// - Parameters:
    ///   - sha256: what they must hash to.
    ///   - size: how many they must be; nil where only the hash is known.
    ///   - isKnownWhole: bytes of this hash have been found to be a whole file before: they are not read as JSON again.
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

    /// Whether the bytes are one well-formed JSON object, by the tolerant reading that published files have always had.
    public static func isWholeFile(_ bytes: [UInt8]) -> Bool {
        let limits = JSONLimits(
            bytes: largest, depth: 128, numberLength: largest, stringLength: largest, values: .max, marksInRow: largest)
        guard case .object = try? JSONValue(parsing: bytes, limits: limits, options: .lenient) else { return false }
        return true
    }
}

/// Why bytes are not the blob that they should be.
public enum BlobError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are this many, and that is not the size stated or not one that a file can have.
    case wrongSize(Int)
    /// They hash to something else.
    case wrongHash
    /// They are not a well-formed JSON object.
    case notAnObject

    /// A short name for the kind of fault, stable, for counters.
    public var code: String {
        switch self {
        case .wrongSize: "wrong_size"
        case .wrongHash: "wrong_hash"
        case .notAnObject: "not_an_object"
        }
    }

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .wrongSize(let size): "the file has \(size) bytes, which is not its size"
        case .wrongHash: "the file does not hash to its name"
        case .notAnObject: "the file is not a JSON object"
        }
    }
}
