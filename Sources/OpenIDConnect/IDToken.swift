import Crypto
import Hex
public import StrictJSON

/// A signed token of an OpenID Connect issuer, as it was received: parsed, but not verified.
///
/// We read all of it ourselves. Libraries for tokens refuse what issuers send (jwt-kit refuses all keys if it does not
/// know one), or end the process for some inputs, such as an empty `aud`.
public struct IDToken: Sendable {
    /// The maximum length of a token, in bytes.
    public static let maximumLength = 16_384
    /// The maximum difference between the issuer's clock and ours, in seconds.
    public static let skew = 60.0
    /// The maximum time until a token expires, in seconds: a day. Used tokens must be remembered until then.
    public static let maximumLifetime = 86_400.0

    /// The name of the key that signed the token.
    let keyID: String
    let algorithm: SigningAlgorithm
    /// The bytes that are signed: the encoded header and payload.
    let signedText: [UInt8]
    let signature: [UInt8]

    /// The claims.
    public let claims: JSONObject
    /// The issuer.
    public let issuer: String
    /// The audiences. It may be empty.
    public let audiences: [String]
    /// The expiry time, in seconds since 1970.
    public let expiry: Double
    private let notBefore: Double?
    private let issuedAt: Double?

    /// Parses a token. This reads neither the keys nor the clock.
    ///
    /// - Throws: ``TokenError/malformed(_:)``
    public init(parsing text: String) throws(TokenError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .malformed("it has more than \(Self.maximumLength) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("it must have three parts, separated by periods") }
        let header = try Self.object(parts[0], "header")
        guard let signature = Base64URL.decoded(parts[2]), !signature.isEmpty else {
            throw .malformed("its signature is not base64url")
        }
        guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init(rawValue:)) else {
            throw .malformed(
                "its algorithm must be \(SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        // RFC 7515, section 4.1.11: a recipient that does not understand an extension must reject the token.
        guard header["crit"] == nil else { throw .malformed("it has critical extensions") }
        guard let keyID = header["kid"]?.string, (1...256).contains(keyID.utf8.count) else {
            throw .malformed("its header has no kid")
        }
        self.keyID = keyID
        self.algorithm = algorithm
        self.signature = signature
        signedText = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
        claims = try Self.object(parts[1], "payload")
        guard let issuer = claims["iss"]?.string else { throw .malformed("it has no iss") }
        self.issuer = issuer
        audiences = try Self.audiences(claims["aud"])
        guard let expiry = try Self.time("exp", in: claims) else { throw .malformed("it has no exp") }
        self.expiry = expiry
        notBefore = try Self.time("nbf", in: claims)
        issuedAt = try Self.time("iat", in: claims)
    }

    /// Identifies the token, so that it can be used only once: a digest of the issuer and of `jti`. Without a `jti`,
    /// of the signed part, because a signature can have several valid forms.
    public var fingerprint: [UInt8] {
        let id = claims["jti"]?.string.map { Array("jti \($0)".utf8) } ?? Array("text ".utf8) + signedText
        return Array(SHA256.hash(data: Array(issuer.utf8) + [0] + id))
    }

    /// The number of seconds since the person signed in at the issuer (`auth_time`), or `nil` if the token does not say it.
    ///
    /// - Parameter now: The time in seconds since 1970.
    public func secondsSinceSignIn(now: Double) -> Double? {
        guard let time = claims["auth_time"]?.number?.double, time >= 0, time <= now + Self.skew else { return nil }
        return max(0, now - time)
    }

    /// Checks everything that needs no key.
    ///
    /// - Parameter now: The time in seconds since 1970.
    /// - Throws: ``TokenError``
    public func check(issuer: String, audience: String, now: Double) throws(TokenError) {
        guard self.issuer.hasSameBytes(as: issuer) else { throw .wrongIssuer }
        guard audiences.contains(where: { $0.hasSameBytes(as: audience) }) else { throw .wrongAudience }
        try checkTimes(now: now)
    }

    /// Checks the times.
    ///
    /// - Parameter now: The time in seconds since 1970.
    /// - Throws: ``TokenError``
    public func checkTimes(now: Double) throws(TokenError) {
        guard expiry > now - Self.skew else { throw .expired }
        guard expiry <= now + Self.maximumLifetime else { throw .longLived }
        guard (notBefore ?? 0) <= now + Self.skew, (issuedAt ?? 0) <= now + Self.skew else { throw .early }
    }

    private static func object(_ part: Substring, _ name: String) throws(TokenError) -> JSONObject {
        guard let bytes = Base64URL.decoded(part) else { throw .malformed("its \(name) is not base64url") }
        let limits = JSONLimits(bytes: maximumLength, depth: 8)
        guard let object = try? JSONValue(parsing: bytes, limits: limits).object else {
            throw .malformed("its \(name) is not a JSON object")
        }
        return object
    }

    /// `aud` is a text or a list of texts (RFC 7519, section 4.1.3).
    private static func audiences(_ value: JSONValue?) throws(TokenError) -> [String] {
        if let text = value?.string { return [text] }
        guard let list = value?.array else { throw .malformed("it has no aud") }
        let texts = list.compactMap(\.string)
        guard texts.count == list.count, list.count <= 10 else {
            throw .malformed("its aud must be a text or a list of at most 10 texts")
        }
        return texts
    }

    private static func time(_ name: String, in claims: JSONObject) throws(TokenError) -> Double? {
        guard let value = claims[name] else { return nil }
        guard let time = value.number?.double, time.isFinite, time >= 0 else {
            throw .malformed("its \(name) is not a time in seconds")
        }
        return time
    }
}
