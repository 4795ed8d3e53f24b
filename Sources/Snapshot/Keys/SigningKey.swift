internal import Crypto
internal import FoundationEssentials

/// The private half of the installation's Ed25519 key pair. Whoever publishes the manifest holds it; consumers never do.
///
/// Neither `description` nor reflection shows the secret, so that it cannot slip into a log.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: Curve25519.Signing.PrivateKey

    /// The half that consumers are given.
    public let verificationKey: VerificationKey

    /// A new key from the system's random numbers.
    public init() throws(KeyError) {
        try self.init(key: Curve25519.Signing.PrivateKey())
    }

    /// A key from its 32-byte seed (RFC 8032).
    public init(rawRepresentation: [UInt8]) throws(KeyError) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation) else {
            throw .malformed
        }
        try self.init(key: key)
    }

    /// A key from the text that `base64` gives, white space around it allowed.
    public init(base64: String) throws(KeyError) {
        guard let data = Data(base64Encoded: Base64Text.trimmed(base64)) else { throw .malformed }
        try self.init(rawRepresentation: [UInt8](data))
    }

    private init(key: Curve25519.Signing.PrivateKey) throws(KeyError) {
        self.key = key
        verificationKey = try VerificationKey(rawRepresentation: [UInt8](key.publicKey.rawRepresentation))
    }

    /// **The secret**, as 44 characters of base64: for a key file, never for a log.
    public var base64: String { key.rawRepresentation.base64EncodedString() }

    /// 64 bytes of Ed25519 signature over the message.
    public func signature(for message: ArraySlice<UInt8>) throws(KeyError) -> [UInt8] {
        guard let signature = try? key.signature(for: message) else { throw .malformed }
        return [UInt8](signature)
    }

    /// Names the public half only.
    public var description: String { "SigningKey(\(verificationKey.id))" }

    /// Shows the public half only.
    public var customMirror: Mirror { Mirror(self, children: ["id": verificationKey.id]) }
}
