/// The reason why an answer of an authenticator is not accepted.
public enum PasskeyFault: Error, Hashable, Sendable {
    /// The client data is not JSON, or has another type than the ceremony.
    case clientData
    /// The challenge is not the expected one.
    case challenge
    /// A page of another origin asked the authenticator.
    case origin
    /// The authenticator data is malformed, or for another service.
    case authenticatorData
    /// The key has an algorithm other than ES256, EdDSA and RS256.
    case algorithm
    /// The user was not verified, by a PIN or biometrics. A passkey alone is then not enough.
    case userNotVerified
    /// The signature is wrong.
    case signature
    /// The counter is not higher than before: there may be a copy of the authenticator.
    case counter

    /// The problem and the remedy, as text.
    public var description: String {
        switch self {
        case .clientData: "The client data does not belong to this request."
        case .challenge: "The challenge is unknown, used or older than five minutes. Try again."
        case .origin: "The passkey was used on the page of another site."
        case .authenticatorData: "The authenticator's data is malformed, or for another site."
        case .algorithm: "The passkey has an algorithm other than ES256, EdDSA and RS256. Use another authenticator."
        case .userNotVerified:
            "The authenticator did not verify you, by a PIN or biometrics. Turn that on, and try again."
        case .signature: "The passkey's signature is wrong."
        case .counter: "The passkey's counter did not increase, so there may be a copy. Use another passkey."
        }
    }
}
