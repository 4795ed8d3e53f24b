import Crypto
public import Fetching
import FoundationEssentials
import Hex
import StrictJSON

/// Where and how people sign in with an issuer (OpenID Connect Discovery 1.0, section 3).
public struct ProviderMetadata: Sendable {
    let authorizationEndpoint: FetchURL?
    let tokenEndpoint: FetchURL?
    /// Whether the client's secret is sent in the form instead of the field `Authorization`.
    let takesSecretInForm: Bool
    /// Whether answers name the issuer (RFC 9207).
    let namesIssuer: Bool

    init() { (authorizationEndpoint, tokenEndpoint, takesSecretInForm, namesIssuer) = (nil, nil, false, false) }

    init(_ discovery: JSONObject, of issuer: FetchURL) {
        func url(_ name: String) -> FetchURL? {
            discovery[name]?.string.flatMap { FetchURL($0, allowsLoopback: !issuer.isSecure) }
        }
        authorizationEndpoint = url("authorization_endpoint")
        tokenEndpoint = url("token_endpoint")
        let methods = discovery["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        takesSecretInForm =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") } ?? false
        namesIssuer = discovery["authorization_response_iss_parameter_supported"]?.bool ?? false
    }
}

/// A sign-in of a person with a provider: the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1;
/// RFC 7636).
public struct ProviderSignInFlow: Sendable {
    /// The maximum size of the answer of a token endpoint, in bytes.
    private static let longestAnswer = 65_536
    /// The maximum length of an authorization code, in bytes.
    public static let longestCode = 4_096

    /// The issuer.
    public let issuer: FetchURL
    let clientID: String
    let clientSecret: String?
    /// The page to which the provider returns, exactly as it is registered there.
    let redirectURI: String

    /// Creates a flow.
    public init(issuer: FetchURL, clientID: String, clientSecret: String?, redirectURI: String) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
    }

    /// A random text for a nonce or a code verifier: 43 characters, 256 random bits.
    public static func randomText() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encoded((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The provider's page on which the person signs in.
    ///
    /// - Parameters:
    ///   - verifier: The code verifier.
    ///   - maximumAge: If not `nil`, the person must sign in there even if they are signed in, and the token must say when
    ///     they did. The number of seconds since then.
    /// - Throws: ``IssuerError`` if the provider does not publish the address.
    public func signInURL(
        _ metadata: ProviderMetadata, state: String, nonce: String, verifier: String, maximumAge: Int? = nil
    ) throws -> String {
        guard let endpoint = metadata.authorizationEndpoint, metadata.tokenEndpoint != nil else {
            throw IssuerError(description: "The provider \(issuer) does not say where people sign in.")
        }
        let challenge = Base64URL.encoded(Array(SHA256.hash(data: Array(verifier.utf8))))
        var fields = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("scope", "openid email profile"), ("state", state), ("nonce", nonce), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]
        if let maximumAge {
            // Only with `max_age` must the token say when the person signed in. It is not 0, because some providers would
            // then ask forever: the sign-in is already in the past when they compare.
            fields += [("prompt", "login"), ("max_age", "\(maximumAge)")]
        }
        return endpoint.description + (endpoint.path.contains("?") ? "&" : "?") + Self.form(fields)
    }

    /// Exchanges a code for a token, and verifies the token.
    ///
    /// - Parameters:
    ///   - namedIssuer: The `iss` of the provider's answer, or `nil`.
    ///   - owner: The organization that trusts the provider.
    ///   - now: The time in seconds since 1970.
    /// - Throws: ``TokenError`` and ``IssuerError``.
    public func finish(
        code: String, namedIssuer: String?, nonce: String, verifier: String, keys: IssuerKeys, client: GuardedClient,
        for owner: String, now: Double
    ) async throws -> IDToken {
        let metadata = try await keys.metadata(of: issuer, for: owner)
        // Without this check, an attacker's provider could pass on the answer of another one (mix-up attack).
        if namedIssuer != nil || metadata.namesIssuer {
            guard let namedIssuer, namedIssuer.hasSameBytes(as: issuer.description) else {
                throw TokenError.wrongIssuer
            }
        }
        guard let endpoint = metadata.tokenEndpoint else {
            throw IssuerError(description: "The provider \(issuer) has no token endpoint.")
        }
        let answer: [UInt8]
        do {
            answer = try await client.post(
                form(code: code, verifier: verifier, metadata), to: endpoint, upTo: Self.longestAnswer)
        } catch let error as FetchError {
            throw IssuerError(description: "The token endpoint of \(issuer) \(error).")
        }
        let limits = JSONLimits(bytes: Self.longestAnswer, depth: 8)
        guard let text = (try? JSONValue(parsing: answer, limits: limits))?["id_token"]?.string else {
            throw IssuerError(description: "The answer of the token endpoint of \(issuer) has no id_token.")
        }
        let token = try IDToken(parsing: text)
        try token.check(issuer: issuer.description, audience: clientID, now: now)
        try check(token, nonce: nonce)
        try await keys.verify(token, from: issuer, for: owner)
        return token
    }

    /// OpenID Connect Core 1.0, section 3.1.3.7.
    private func check(_ token: IDToken, nonce: String) throws(TokenError) {
        guard let shown = token.claims["nonce"]?.string, shown.hasSameBytes(as: nonce) else { throw .wrongNonce }
        if let party = token.claims["azp"] {
            guard let text = party.string, text.hasSameBytes(as: clientID) else { throw .wrongAudience }
        } else if token.audiences.count > 1 {
            throw .wrongAudience
        }
    }

    private func form(code: String, verifier: String, _ metadata: ProviderMetadata) -> FetchForm {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("client_id", clientID), ("code_verifier", verifier),
        ]
        guard let clientSecret else { return FetchForm(body: Self.form(fields)) }
        if metadata.takesSecretInForm {
            fields.append(("client_secret", clientSecret))
            return FetchForm(body: Self.form(fields))
        }
        // RFC 6749, section 2.3.1: both are encoded before they are joined.
        let pair = "\(PercentEncoding.encode(clientID)):\(PercentEncoding.encode(clientSecret))"
        return FetchForm(
            body: Self.form(fields), authorization: "Basic " + Data(pair.utf8).base64EncodedString())
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }
}
