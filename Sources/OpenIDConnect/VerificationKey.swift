import Crypto
import CryptoExtras
import Hex
import StrictJSON

/// The accepted algorithms of signatures (RFC 7518, section 3; RFC 8037). All use a pair of keys, so a public key cannot
/// sign.
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
    case eddsa = "EdDSA"
}

/// A public key of an issuer, for one algorithm.
struct VerificationKey: Sendable {
    private enum Key {
        case rsa(_RSA.Signing.PublicKey, _RSA.Signing.Padding)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    let id: String
    let algorithm: SigningAlgorithm
    private let key: Key

    /// Reads the keys of a JWK Set (RFC 7517, section 5). Skips each key that it cannot use, because issuers publish
    /// keys for other purposes too.
    ///
    /// An RSA key without `alg` is read twice: it may be for either of the algorithms.
    static func keys(of set: JSONObject) -> [VerificationKey] {
        (set["keys"]?.array?.prefix(100) ?? []).compactMap(\.object).flatMap { object in
            SigningAlgorithm.allCases.compactMap { VerificationKey(object, for: $0) }
        }
    }

    private init?(_ object: JSONObject, for algorithm: SigningAlgorithm) {
        guard let id = object["kid"]?.string, (1...256).contains(id.utf8.count) else { return nil }
        guard object["use"].map({ $0 == "sig" }) ?? true, object["alg"].map({ $0.string == algorithm.rawValue }) ?? true
        else { return nil }
        guard let key = try? Self.key(object, algorithm) else { return nil }
        self.id = id
        self.algorithm = algorithm
        self.key = key
    }

    private static func key(_ object: JSONObject, _ algorithm: SigningAlgorithm) throws -> Key? {
        func bytes(_ name: String, _ count: ClosedRange<Int>) -> [UInt8]? {
            object[name]?.string.flatMap(Base64URL.decoded).flatMap { count.contains($0.count) ? $0 : nil }
        }
        switch (object["kty"]?.string, algorithm) {
        case ("RSA", .rs256), ("RSA", .ps256):
            // 2048 to 4096 bits. The first byte of the modulus is not zero (RFC 7518, section 6.3.1.1).
            guard let modulus = bytes("n", 256...512), modulus[0] >= 128, let exponent = bytes("e", 1...4) else {
                return nil
            }
            return .rsa(
                try _RSA.Signing.PublicKey(n: modulus, e: exponent),
                algorithm == .rs256 ? .insecurePKCS1v1_5 : .PSS)
        case ("EC", .es256):
            guard object["crv"] == "P-256", let x = bytes("x", 32...32), let y = bytes("y", 32...32) else {
                return nil
            }
            return .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
        case ("OKP", .eddsa):
            guard object["crv"] == "Ed25519", let x = bytes("x", 32...32) else { return nil }
            return .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: x))
        default: return nil
        }
    }

    /// Whether the key made a signature.
    func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
        switch key {
        case .rsa(let key, let padding):
            key.isValidSignature(.init(rawRepresentation: signature), for: SHA256.hash(data: text), padding: padding)
        case .p256(let key):
            (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
                .map { key.isValidSignature($0, for: SHA256.hash(data: text)) } ?? false
        case .ed25519(let key): key.isValidSignature(signature, for: text)
        }
    }
}
