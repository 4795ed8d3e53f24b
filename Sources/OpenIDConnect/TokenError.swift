/// The reason why a token of an issuer is refused.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not a JWT of the accepted form. The value is the reason.
    case malformed(String)
    /// Its issuer is another one.
    case wrongIssuer
    /// It is for another audience.
    case wrongAudience
    /// It belongs to another sign-in.
    case wrongNonce
    /// It has expired.
    case expired
    /// It is not valid yet.
    case early
    /// It is valid for too long.
    case longLived
    /// The issuer has no such key.
    case unknownKey
    /// The key is for another algorithm.
    case wrongAlgorithm
    /// The signature does not fit the key.
    case wrongSignature

    /// The error message: a sentence.
    public var description: String {
        switch self {
        case .malformed(let reason): "The token is malformed: \(reason)."
        case .wrongIssuer: "The token is from another issuer."
        case .wrongAudience: "The token is for another audience."
        case .wrongNonce: "The token belongs to another sign-in."
        case .expired: "The token has expired."
        case .early: "The token is not valid yet."
        case .longLived: "The token is valid for more than \(IDToken.maximumLifetime / 3_600) hours."
        case .unknownKey: "The issuer does not publish the key that signed the token."
        case .wrongAlgorithm: "The token's algorithm is not the one of its key."
        case .wrongSignature: "The token's signature is wrong."
        }
    }
}

/// The reason why an issuer's keys could not be read.
public struct IssuerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message: a sentence.
    public let description: String
}
