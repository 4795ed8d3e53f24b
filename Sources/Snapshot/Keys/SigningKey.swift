internal import Crypto
internal import FoundationEssentials

/// The private half of the installation's Ed25519 key pair. The API uses it to sign the manifest. Consumers never have
/// it.
///
/// `description` and reflection do not show the secret, so it cannot be logged by accident.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: Curve25519.Signing.PrivateKey

    /// The public half, which consumers have.
    public let verificationKey: VerificationKey

    /// Creates a random key.
    public init() throws(KeyError) {
        try self.init(key: Curve25519.Signing.PrivateKey())
    }

    /// Creates a key from its 32-byte seed (RFC 8032).
    public init(rawRepresentation: [UInt8]) throws(KeyError) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation) else {
            throw .malformed
        }
        try self.init(key: key)
    }

    /// Reads the text that `base64` returns. Ignores surrounding white space.
    public init(base64: String) throws(KeyError) {
        guard let data = Data(base64Encoded: Base64Text.trimmed(base64)) else { throw .malformed }
        try self.init(rawRepresentation: [UInt8](data))
    }

    private init(key: Curve25519.Signing.PrivateKey) throws(KeyError) {
        self.key = key
        verificationKey = try VerificationKey(rawRepresentation: [UInt8](key.publicKey.rawRepresentation))
    }

    /// **The secret** as 44 characters of base64. Use it only for a key file, never in a log.
    public var base64: String { key.rawRepresentation.base64EncodedString() }

    /// The Ed25519 signature of the message: 64 bytes.
    public func signature(for message: ArraySlice<UInt8>) throws(KeyError) -> [UInt8] {
        guard let signature = try? key.signature(for: message) else { throw .malformed }
        return [UInt8](signature)
    }

    /// Shows only the ID of the public half.
    public var description: String { "SigningKey(\(verificationKey.id))" }

    /// Shows only the ID of the public half.
    public var customMirror: Mirror { Mirror(self, children: ["id": verificationKey.id]) }
}
