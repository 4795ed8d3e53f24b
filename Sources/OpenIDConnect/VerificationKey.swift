import JWTKit
import StrictJSON

/// The accepted algorithms of signatures. All use a pair of keys, so a public key cannot sign.
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
    case eddsa = "EdDSA"

    /// jwt-kit's name of the algorithm.
    fileprivate var ofJWTKit: JWK.Algorithm {
        switch self {
        case .rs256: .rs256
        case .ps256: .ps256
        case .es256: .es256
        case .eddsa: .eddsa
        }
    }
}

/// A public key of an issuer, for one algorithm.
struct VerificationKey: Sendable {
    let id: String
    let algorithm: SigningAlgorithm
    private let key: any JWTAlgorithm

    /// Reads the keys of a JWK Set (RFC 7517, section 5). Skips each key that it cannot use, because issuers publish
    /// keys for other purposes too.
    ///
    /// An RSA key without `alg` is read twice: it may be for either of the algorithms. Each entry has its own fixed
    /// algorithm; jwt-kit would otherwise take it from the token.
    static func keys(of set: JSONObject) async -> [VerificationKey] {
        var keys: [VerificationKey] = []
        for entry in set["keys"]?.array?.prefix(100) ?? [] {
            for algorithm in SigningAlgorithm.allCases {
                if let object = entry.object, let key = await VerificationKey(object, for: algorithm) {
                    keys.append(key)
                }
            }
        }
        return keys
    }

    private init?(_ object: JSONObject, for algorithm: SigningAlgorithm) async {
        guard let id = object["kid"]?.string, (1...256).contains(id.utf8.count) else { return nil }
        guard object["use"].map({ $0 == "sig" }) ?? true, object["alg"].map({ $0.string == algorithm.rawValue }) ?? true
        else { return nil }
        guard let jwk = Self.jwk(object, JWKIdentifier(string: id), algorithm) else { return nil }
        // A collection with only this key, because jwt-kit takes the first key if it does not know a key's name.
        let collection = JWTKeyCollection()
        guard (try? await collection.add(jwk: jwk)) != nil,
            let key = try? await collection.getKey(for: jwk.keyIdentifier)
        else { return nil }
        self.id = id
        self.algorithm = algorithm
        self.key = key
    }

    private static func jwk(_ object: JSONObject, _ id: JWKIdentifier, _ algorithm: SigningAlgorithm) -> JWK? {
        func text(_ name: String, bytes: ClosedRange<Int>) -> String? {
            guard let text = object[name]?.string, let value = Base64URL.decoded(text), bytes.contains(value.count)
            else { return nil }
            return text
        }
        switch (object["kty"]?.string, algorithm) {
        case ("RSA", .rs256), ("RSA", .ps256):
            // 2048 to 4096 bits. The first byte of the modulus is not zero (RFC 7518, section 6.3.1.1).
            guard let modulus = text("n", bytes: 256...512), Base64URL.decoded(modulus)?.first ?? 0 >= 128,
                let exponent = text("e", bytes: 1...4)
            else { return nil }
            return .rsa(algorithm.ofJWTKit, identifier: id, modulus: modulus, exponent: exponent)
        case ("EC", .es256):
            guard object["crv"] == "P-256", let x = text("x", bytes: 32...32), let y = text("y", bytes: 32...32) else {
                return nil
            }
            return .ecdsa(.es256, identifier: id, x: x, y: y, curve: .p256)
        case ("OKP", .eddsa):
            guard object["crv"] == "Ed25519", let x = text("x", bytes: 32...32) else { return nil }
            return .octetKeyPair(.eddsa, identifier: id, x: x, y: nil, curve: .ed25519)
        default: return nil
        }
    }

    /// Whether the key made a signature.
    func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool { (try? key.verify(signature, signs: text)) ?? false }
}
