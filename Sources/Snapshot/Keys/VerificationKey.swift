internal import Crypto
internal import FoundationEssentials
internal import Hex

/// The public half of the installation's Ed25519 key pair. Consumers use it to verify manifests.
public struct VerificationKey: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Creates a key from its 32 raw bytes (RFC 8032).
    public init(rawRepresentation: [UInt8]) throws(KeyError) {
        guard (try? Curve25519.Signing.PublicKey(rawRepresentation: rawRepresentation)) != nil else {
            throw .malformed
        }
        bytes = rawRepresentation
    }

    /// Reads the text that `base64` returns. Ignores surrounding white space, which settings and files may contain.
    public init(base64: String) throws(KeyError) {
        guard let data = Data(base64Encoded: Base64Text.trimmed(base64)) else { throw .malformed }
        try self.init(rawRepresentation: [UInt8](data))
    }

    /// The 32 raw bytes.
    public var rawRepresentation: [UInt8] { bytes }

    /// The key as 44 characters of base64.
    public var base64: String { Data(bytes).base64EncodedString() }

    /// The key's ID in a manifest's signature line: the first 8 bytes of the SHA-256 of the public key, as 16
    /// hexadecimal digits. It only selects a key and proves nothing.
    public var id: String { Hexadecimal.encode(ContentHash(of: bytes).bytes.prefix(8)) }

    /// The key's base64 text, which is public.
    public var description: String { base64 }

    /// Returns true if the private half of this key created `signature` (64 bytes) for `message`.
    public func isValid(signature: [UInt8], for message: ArraySlice<UInt8>) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}

/// Base64 text as users paste it.
enum Base64Text {
    /// The text without ASCII white space at either end.
    static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let start = text.utf8.drop(while: isSpace)
        return String(decoding: Array(start.reversed().drop(while: isSpace).reversed()), as: UTF8.self)
    }
}
