import FoundationEssentials
import HTTPTypes
import Passkeys
import Storage
import StrictJSON
import TOTP

/// `/v1/me/second-factor`, `/v1/me/totp-secrets` and `/v1/me/recovery-codes`: the second factor of the signed-in user.
extension API {
    func showSecondFactor(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let factor = try await store.read { try $0.secondFactor(of: user.id) }
        return .json([
            "addedAt": factor?.app.map { .time($0.addedAt) } ?? .null, "passkeys": .int(factor?.passkeys ?? 0),
            "recoveryCodes": .int(factor?.recoveryCodes ?? 0),
        ])
    }

    /// Makes a secret for an authenticator app. It becomes the second factor only when a code of the app confirms it.
    func createTOTPSecret(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let secret = TOTPSecret()
        // The app shows the host, so that users can tell several installations apart.
        let uri = secret.uri(issuer: "Waymark (\(authentication.ownHost(call.request)))", account: user.email)
        try await store.write { try $0.offerTOTPSecret(secret.bytes, to: user.id) }
        let code = QRCode(uri)
        return Answer.json(
            [
                "secret": .string(secret.base32), "uri": .string(uri),
                "qrCode": code.map { ["size": .int($0.size), "path": .string($0.path)] } ?? .null,
            ], .created
        ).withSecret
    }

    /// Makes the newest secret the second factor. All other sessions end, because they were opened without it.
    func setSecondFactor(_ call: Call, _ caller: Caller) async throws -> Answer {
        let session = try caller.session
        let (user, code) = (session.user, try call.decode { $0.required("code", .text(min: 1, max: 20)) })
        let (recoveryCodes, renewed) = try await store.write { installation in
            guard let offer = try installation.offeredTOTPSecret(to: user.id) else { throw APIError.noTOTPSecret }
            guard let step = TOTPSecret(bytes: offer)?.step(of: code, at: .now, after: 0) else {
                throw APIError.wrongTOTPCode
            }
            let codes = try installation.setSecondFactor(offer, lastStep: step, of: user.id)
            try installation.mailSignInChange(.added, to: user)
            try installation.closeSessions(of: user.id, except: session.id)
            return (codes, try installation.renewSession(session.id, isConfirmed: true))
        }
        authentication.callers.forget()
        guard let renewed else { throw APIError.sessionEnded }
        return Answer.json(recoveryCodes.json).with(.setCookie, authentication.cookie.setting(renewed.secret))
    }

    func removeSecondFactor(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        try await store.write { installation in
            let isRemoved = try installation.removeAuthenticatorApp(of: user.id)
            try Self.requireSecondFactorLeft(of: user.id, in: installation)
            if isRemoved { try installation.mailSignInChange(.removed, to: user) }
        }
        authentication.callers.forget()
        return .noContent
    }

    /// Throws 409 `second_factor_required` if a user has no second factor left, and an organization requires one.
    static func requireSecondFactorLeft(of user: ID<User>, in installation: SystemTransaction) throws {
        guard try installation.secondFactor(of: user) == nil,
            let slug = try installation.organizationsRequiringSecondFactor(of: user).first
        else { return }
        throw APIError(
            .conflict, "second_factor_required",
            "The organization \(slug) requires a second factor. Set up another one first.")
    }

    /// Makes new recovery codes. The old ones end.
    func createRecoveryCodes(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let codes = try await store.write { installation in
            guard try installation.secondFactor(of: user.id) != nil else { throw APIError.noSecondFactor }
            return try installation.replaceRecoveryCodes(of: user.id)
        }
        return Answer.json(codes.json, .created).withSecret
    }
}

extension API {
    /// Checks the second factor of a user who shows the code of a link. Before an address is verified, another person may
    /// have set up the second factor. So it does not count, and using the code removes it.
    func requireSecondFactor(_ shown: ShownFactor?, ofLinkOwner user: User, for call: Call) async throws {
        guard try await store.read({ try $0.isVerified(user.id) }) else { return }
        try await requireSecondFactor(shown, of: user, for: call, .link(of: user.id))
    }

    /// Checks the second factor of a user who has one. Wrong codes count.
    ///
    /// - Parameters:
    ///   - shown: What the user sent: a code of the app, a recovery code, or the answer of an authenticator.
    ///   - counter: What wrong codes count for.
    ///   - attempt: The attempt that is counted already, or `nil` to count one now.
    /// - Throws: 401 `second_factor_required`, `invalid_second_factor` or `invalid_passkey`, and ``SignInBlocked``.
    func requireSecondFactor(
        _ shown: ShownFactor?, of user: User, for call: Call, _ counter: ProofCounter, attempt: ProofAttempt? = nil
    ) async throws {
        guard try await store.read({ try $0.secondFactor(of: user.id) }) != nil else { return }
        guard let shown else {
            if let attempt { try await store.write { try $0.takeBack(attempt) } }
            throw APIError.secondFactorRequired
        }
        if attempt == nil { try await store.write { _ = try $0.count(counter) } }
        RequestLog.note("secondFactor", shown.name)
        try await store.write { installation in
            switch shown {
            case .passkey(let assertion):
                guard try use(assertion, isAlone: false, for: call, in: installation).id == user.id else {
                    throw APIError.invalidSecondFactor
                }
            case .code(let code): try Self.use(code, of: user, in: installation)
            }
            try installation.forgetFailures(counter)
        }
    }

    /// Uses a code of the app, or a recovery code. Throws 401 `invalid_second_factor`.
    private static func use(_ code: String, of user: User, in installation: SystemTransaction) throws {
        let app = try installation.secondFactor(of: user.id)?.app
        let step = app.flatMap { TOTPSecret(bytes: $0.secret)?.step(of: code, at: .now, after: $0.lastStep) }
        if let step {
            guard try installation.useTOTPStep(step, of: user.id) else { throw APIError.invalidSecondFactor }
        } else {
            guard try installation.useRecoveryCode(code, of: user.id) else { throw APIError.invalidSecondFactor }
            try installation.mailSignInChange(.recoveryCodeUsed, to: user)
        }
    }
}

/// What a user shows as a second factor.
enum ShownFactor: Sendable {
    /// A code of the authenticator app, or a recovery code.
    case code(String)
    /// The answer of an authenticator with a passkey.
    case passkey(PasskeyAssertion)

    /// The kind, for the log.
    fileprivate var name: String {
        switch self {
        case .code: "code"
        case .passkey: "passkey"
        }
    }
}

extension JSONObjectReader {
    /// The member `secondFactor` or `passkey`, or `nil` if both are absent.
    func secondFactor() -> ShownFactor? {
        let (code, passkey) = (optional("secondFactor", .secondFactor), passkey())
        if code != nil, passkey != nil { fault("passkey", "unexpected", "is only sent without secondFactor") }
        return passkey.map(ShownFactor.passkey) ?? code.map(ShownFactor.code)
    }
}

extension Int64 {
    /// The time, in seconds since 1970.
    fileprivate static var now: Int64 { Int64(Date.now.timeIntervalSince1970) }
}

extension [RecoveryCode] {
    fileprivate var json: JSONValue { ["recoveryCodes": .array(map { .string($0.text) })] }
}

extension APIError {
    fileprivate static let secondFactorRequired = APIError(
        .unauthorized, "second_factor_required",
        "This account has a second factor. Send also `secondFactor`, a code of the authenticator app or a recovery code, or `passkey`."
    )

    static let invalidSecondFactor = APIError(
        .unauthorized, "invalid_second_factor",
        "The code is wrong, too old or already used. Send the newest code of the authenticator app, or another recovery code."
    )

    static let noSecondFactor = APIError(
        .conflict, "no_second_factor", "You have no second factor. Set one up first: PUT /v1/me/second-factor.")

    fileprivate static let noTOTPSecret = APIError(
        .conflict, "no_totp_secret",
        "There is no secret to confirm, or it is older than an hour. Make a new one: POST /v1/me/totp-secrets.")

    fileprivate static let wrongTOTPCode = APIError.invalid(
        JSONPointer().appending("code"), "wrong_code",
        "must be the newest code of the app; check the clock of its device too")
}
