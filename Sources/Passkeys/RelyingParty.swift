import Crypto
import StrictJSON

/// A service that users sign in to with passkeys (WebAuthn level 2). It checks the answers of authenticators.
public struct RelyingParty: Hashable, Sendable {
    /// The ID: the host of the service. A passkey works only for it.
    public let id: String
    /// The origin of the service's pages, such as `https://links.example.com`.
    public let origin: String

    /// Creates a relying party.
    public init(id: String, origin: String) {
        self.id = id
        self.origin = origin
    }

    /// Reads a new passkey from the answer to a request to create one. The authenticator's maker is not checked (no
    /// attestation).
    ///
    /// - Parameters:
    ///   - clientData: The bytes of `clientDataJSON`.
    ///   - authenticatorData: The bytes of the authenticator data, with the new key.
    ///   - isExpected: Whether a challenge, in base64url, belongs to the request.
    /// - Throws: ``PasskeyFault``. It requires that the user was verified.
    public func register(
        clientData: [UInt8], authenticatorData: [UInt8], isExpected: (_ challenge: String) throws -> Bool
    ) throws -> PasskeyCredential {
        try check(clientData, type: "webauthn.create", isExpected)
        let data = try AuthenticatorData(authenticatorData, party: id)
        guard data.isUserVerified else { throw PasskeyFault.userNotVerified }
        return try PasskeyCredential(authenticatorData: authenticatorData, counter: data.counter)
    }

    /// Checks the answer to a request to use a passkey.
    ///
    /// - Parameters:
    ///   - credential: The passkey, as it was stored after its last use.
    ///   - isAlone: Whether the passkey is the only proof. The authenticator must then have verified the user.
    /// - Returns: The new counter.
    /// - Throws: ``PasskeyFault``.
    public func check(
        _ assertion: PasskeyAssertion, of credential: PasskeyCredential, isAlone: Bool,
        isExpected: (_ challenge: String) throws -> Bool
    ) throws -> UInt32 {
        try check(assertion.clientData, type: "webauthn.get", isExpected)
        let data = try AuthenticatorData(assertion.authenticatorData, party: id)
        guard data.isUserVerified || !isAlone else { throw PasskeyFault.userNotVerified }
        guard credential.signed(assertion, for: self) else { throw PasskeyFault.signature }
        guard data.counter > credential.counter || data.counter == 0 && credential.counter == 0 else {
            throw PasskeyFault.counter
        }
        return data.counter
    }

    private func check(
        _ clientData: [UInt8], type: String, _ isExpected: (_ challenge: String) throws -> Bool
    ) throws {
        guard let data = try? JSONValue(parsing: clientData, limits: JSONLimits(bytes: 4_096)),
            data["type"]?.string == type, let challenge = data["challenge"]?.string
        else { throw PasskeyFault.clientData }
        // Pages inside frames of other sites report `crossOrigin`.
        guard data["origin"]?.string == origin, data["crossOrigin"]?.bool != true else { throw PasskeyFault.origin }
        guard try isExpected(challenge) else { throw PasskeyFault.challenge }
    }
}

/// The answer of an authenticator to a request to use a passkey.
public struct PasskeyAssertion: Hashable, Sendable {
    /// The ID of the passkey, at most 1,023 bytes.
    public let credentialID: [UInt8]
    let clientData: [UInt8]
    let authenticatorData: [UInt8]
    let signature: [UInt8]

    /// Creates an assertion from the bytes of the browser's `AuthenticatorAssertionResponse`.
    public init(credentialID: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8]) {
        self.credentialID = credentialID
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
    }
}
