import FoundationEssentials
import HTTPTypes
import Hex
import Passkeys
import Storage
import StrictJSON

/// `/v1/passkey-challenges` and `/v1/me/passkeys`: passkeys, instead of a password or as a second factor (WebAuthn).
extension API {
    /// Makes a challenge for signing in or confirming. Who uses it is not known yet.
    func createPasskeyChallenge(_ call: Call) async throws -> Answer {
        let challenge = try await store.write { try $0.createPasskeyChallenge(for: nil) }
        return .json(
            [
                "challenge": .string(Base64URL.encoded(challenge)), "rpId": .string(relyingParty(for: call).id),
                "lifetimeSeconds": .int(Passkey.challengeLifetime),
            ], .created)
    }

    func listPasskeys(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let passkeys = try await store.read { try $0.passkeys(of: user.id) }
        return .json(["items": .array(passkeys.map(\.json))])
    }

    /// Makes a challenge for adding a passkey, with what the browser needs for it.
    func createNewPasskeyChallenge(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let (challenge, known) = try await store.write { installation in
            (try installation.createPasskeyChallenge(for: user.id), try installation.passkeyCredentialIDs(of: user.id))
        }
        return .json(
            [
                "challenge": .string(Base64URL.encoded(challenge)), "rpId": .string(relyingParty(for: call).id),
                "lifetimeSeconds": .int(Passkey.challengeLifetime),
                "userHandle": .string(Base64URL.encoded(withUnsafeBytes(of: user.id.uuid.uuid) { Array($0) })),
                "algorithms": .array(PasskeyCredential.algorithms.map { .int($0) }),
                "known": .array(known.map { .string(Base64URL.encoded($0)) }),
            ], .created)
    }

    /// Adds a passkey. If it is the user's first second factor, all other sessions end, because they were opened
    /// without it.
    func addPasskey(_ call: Call, _ caller: Caller) async throws -> Answer {
        let session = try caller.session
        let (name, clientData, data) = try call.decode { reader -> (String, [UInt8], [UInt8])? in
            let name = reader.required("name", JSONShape<String>.words(max: 100))
            let clientData = reader.required("clientDataJSON", .base64URL(max: 4_096))
            let data = reader.required("authenticatorData", .base64URL(max: 4_096))
            guard let name, let clientData, let data else { return nil }
            return (name, clientData, data)
        }
        let party = relyingParty(for: call)
        let (passkey, codes, renewed) = try await store.write { installation in
            let credential = try Self.accepting {
                try party.register(clientData: clientData, authenticatorData: data) { challenge in
                    try installation.use(challenge, of: session.user.id)
                }
            }
            let (passkey, codes) = try installation.addPasskey(
                PasskeyKey(credential), name: name, of: session.user.id)
            try installation.mailSignInChange(.passkeyAdded, to: session.user)
            if codes != nil { try installation.closeSessions(of: session.user.id, except: session.id) }
            return (passkey, codes, try installation.renewSession(session.id, isConfirmed: true))
        }
        authentication.callers.forget()
        guard let renewed else { throw APIError.sessionEnded }
        let answer: JSONValue = [
            "passkey": passkey.json, "recoveryCodes": codes.map { .array($0.map { .string($0.text) }) } ?? .null,
        ]
        return Answer.json(answer, .created).with(.setCookie, authentication.cookie.setting(renewed.secret))
    }

    func removePasskey(_ call: Call, _ caller: Caller) async throws -> Answer {
        let (user, id) = (try caller.session.user, try call.id("passkey") as ID<Passkey>)
        try await store.write { installation in
            try installation.removePasskey(id, of: user.id)
            try Self.requireSecondFactorLeft(of: user.id, in: installation)
            try installation.mailSignInChange(.passkeyRemoved, to: user)
        }
        authentication.callers.forget()
        return .noContent
    }

    /// Checks and uses a passkey. Returns its user.
    ///
    /// - Parameter isAlone: Whether the passkey is the only proof of the user.
    /// - Throws: 401 `invalid_passkey`.
    func use(
        _ assertion: PasskeyAssertion, isAlone: Bool, for call: Call, in installation: SystemTransaction
    ) throws -> User {
        guard let (key, user) = try installation.lockedPasskey(assertion.credentialID) else {
            throw APIError.invalidPasskey("It is not known here. It may have been removed from the account.")
        }
        do {
            let counter = try relyingParty(for: call).check(
                assertion, of: PasskeyCredential(key), isAlone: isAlone
            ) { try installation.use($0, of: nil) }
            try installation.notePasskeyUse(assertion.credentialID, counter: Int64(counter))
        } catch let fault as PasskeyFault {
            throw APIError.invalidPasskey(fault.description)
        }
        return user
    }

    /// The dashboard, as authenticators know it.
    private func relyingParty(for call: Call) -> RelyingParty {
        RelyingParty(id: authentication.ownHost(call.request), origin: authentication.ownAddress(call.request))
    }

    private static func accepting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as PasskeyFault {
            throw APIError.invalid(JSONPointer().appending("authenticatorData"), "invalid_passkey", fault.description)
        }
    }
}

extension SystemTransaction {
    /// Uses a challenge in base64url. Returns false if it is not one.
    fileprivate func use(_ challenge: String, of user: ID<User>?) throws -> Bool {
        guard let bytes = Base64URL.decoded(challenge) else { return false }
        return try usePasskeyChallenge(bytes, of: user)
    }
}

extension JSONObjectReader {
    /// The member `passkey`: the answer of an authenticator, or `nil` if absent.
    func passkey() -> PasskeyAssertion? {
        optional(
            "passkey",
            .object { reader -> PasskeyAssertion? in
                let id = reader.required("id", .base64URL(max: 1_023))
                let clientData = reader.required("clientDataJSON", .base64URL(max: 2_048))
                let data = reader.required("authenticatorData", .base64URL(max: 2_048))
                let signature = reader.required("signature", .base64URL(max: 1_024))
                guard let id, let clientData, let data, let signature else { return nil }
                return PasskeyAssertion(
                    credentialID: id, clientData: clientData, authenticatorData: data, signature: signature)
            })
    }
}

extension PasskeyKey {
    fileprivate init(_ credential: PasskeyCredential) {
        self.init(
            credentialID: credential.id, algorithm: credential.algorithm, publicKey: credential.publicKey,
            counter: Int64(credential.counter))
    }
}

extension PasskeyCredential {
    fileprivate init(_ key: PasskeyKey) {
        self.init(
            id: key.credentialID, algorithm: key.algorithm, publicKey: key.publicKey,
            counter: UInt32(clamping: key.counter))
    }
}

extension Passkey {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "name": .string(name), "createdAt": .time(createdAt),
            "lastUsedAt": lastUsedAt.map { .time($0) } ?? .null,
        ]
    }
}

extension APIError {
    fileprivate static func invalidPasskey(_ detail: String) -> APIError {
        APIError(.unauthorized, "invalid_passkey", "The passkey is not accepted. \(detail)")
    }
}
