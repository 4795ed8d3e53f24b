import HTTPTypes
import Passkeys
import PasswordHashing
import Storage
import StrictJSON

/// `/v1/session`: signing in to and out of the dashboard. `/v1/sessions`: where a user is signed in. `/v1/me`: the caller.
extension API {
    func signIn(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let (user, hash) = try await self.user(provenBy: call.decode(SignInProof.read), for: call)
        let opened = try await store.write { installation in
            // The password may have been changed since it was checked, which has ended the sessions before this one.
            if let hash, try !installation.holdsPasswordHash(hash, of: user) { throw APIError.invalidCredentials }
            return try openSession(of: user, for: call, in: installation)
        }
        authentication.callers.forget()
        return answer(opened)
    }

    func signOut(_ call: Call, _ caller: Caller) async throws -> Answer {
        guard case .user(_, let secret) = caller else {
            throw APIError(.badRequest, "no_session", "A token has no session to end.")
        }
        try await store.write { try $0.closeSession(secret) }
        authentication.callers.forget()
        return Answer.noContent.with(.setCookie, authentication.cookie.clearing)
    }

    /// Confirms a session with the user's password or a code. The session gets a new secret.
    func confirmSession(_ call: Call, _ caller: Caller) async throws -> Answer {
        let session = try caller.session
        try await require(call.decode(ConfirmationProof.read), of: session, for: call)
        let confirmed = try await store.write { try $0.renewSession(session.id, isConfirmed: true) }
        authentication.callers.forget()
        guard let confirmed else { throw APIError.sessionEnded }
        return answer(confirmed)
    }

    func listSessions(_ call: Call, _ caller: Caller) async throws -> Answer {
        let current = try caller.session
        let sessions = try await store.read { try $0.sessions(of: current.user.id) }
        return .json(["items": .array(sessions.map { $0.json(isCurrent: $0.id == current.id) })])
    }

    func endSession(_ call: Call, _ caller: Caller) async throws -> Answer {
        let (user, id) = (try caller.session.user.id, try call.id("session") as ID<Session>)
        try await store.write { try $0.closeSession(id, of: user) }
        authentication.callers.forget()
        return .noContent
    }

    func endOtherSessions(_ call: Call, _ caller: Caller) async throws -> Answer {
        let session = try caller.session
        try await store.write { try $0.closeSessions(of: session.user.id, except: session.id) }
        authentication.callers.forget()
        return .noContent
    }

    func showMe(_ call: Call, _ caller: Caller) async throws -> Answer { .json(me(caller)) }

    func changeMe(_ call: Call, _ caller: Caller) async throws -> Answer {
        let session = try caller.session
        let name = try call.decode { $0.required("name", .name) }
        guard case .user(_, let secret) = caller else { throw APIError.sessionRequired }
        let changed = try await store.write { installation in
            try installation.rename(session.user.id, to: name)
            return try installation.session(secret)
        }
        authentication.callers.forget()
        guard let changed else { throw APIError.sessionEnded }
        return .json(me(.user(changed, secret: secret)))
    }

    /// Sets the user's password. All other sessions end, and this one gets a new secret.
    func changePassword(_ call: Call, _ caller: Caller) async throws -> Answer {
        let session = try caller.session
        let password = try call.decode { $0.required("password", .password) }
        try PasswordRules.require(password, names: [session.user.email, session.user.name])
        let hash = try await passwords.hash(password, for: call.network)
        let confirmed = try await store.write { installation in
            try installation.setPasswordHash(hash.text, of: session.user.id)
            try installation.mailPasswordChange(to: session.user)
            try installation.closeSessions(of: session.user.id, except: session.id)
            return try installation.renewSession(session.id, isConfirmed: true)
        }
        authentication.callers.forget()
        guard let confirmed else { throw APIError.sessionEnded }
        return Answer.noContent.with(.setCookie, authentication.cookie.setting(confirmed.secret))
    }

    /// Opens a session. The browser replaces its cookie, so the session of the old one ends.
    ///
    /// - Parameters:
    ///   - provider: The organization whose provider identified the user, or `nil`.
    ///   - age: The number of seconds since the user proved who they are.
    func openSession(
        of user: ID<User>, for call: Call, in installation: SystemTransaction, by provider: ID<Organization>? = nil,
        provenAgo age: Double = 0
    ) throws -> (secret: Secret, session: Session) {
        if let replaced = authentication.cookie.secret(in: call.request) { try installation.closeSession(replaced) }
        return try installation.openSession(of: user, from: call.origin, by: provider, provenAgo: age)
    }

    /// The answer to a sign-in: the caller, and the cookie with the session's secret.
    func answer(_ opened: (secret: Secret, session: Session), _ status: HTTPResponse.Status = .ok) -> Answer {
        Answer.json(me(.user(opened.session, secret: opened.secret)), status)
            .with(.setCookie, authentication.cookie.setting(opened.secret))
    }

    /// Checks what a person shows to sign in. Returns the user, and the hash of the password if they have shown one.
    private func user(
        provenBy proof: SignInProof, for call: Call
    ) async throws -> (user: ID<User>, passwordHash: String?) {
        switch proof.first {
        case .code(let text):
            guard let code = Secret(text, prefix: ""),
                let user = try await store.read({ try $0.user(ofSignInCode: code) })
            else { throw APIError.invalidCode }
            RequestLog.note("by", "link")
            RequestLog.note("user", user.id)
            try await requireSecondFactor(proof.secondFactor, ofLinkOwner: user, for: call)
            return (try await use(code, of: user.id), nil)
        case .password(let address, let password):
            guard let address else { throw APIError.invalidCredentials }
            let counter = ProofCounter.signIn(email: address)
            let (user, hash, attempt) = try await checkPassword(password, of: address, for: call, counter)
            try await requireSecondFactor(proof.secondFactor, of: user, for: call, counter, attempt: attempt)
            try await store.write { try $0.forgetFailures(counter) }
            return (user.id, hash)
        case .passkey(let assertion):
            RequestLog.note("by", "passkey")
            let user = try await store.write { try use(assertion, isAlone: true, for: call, in: $0).id }
            RequestLog.note("user", user)
            return (user, nil)
        }
    }

    /// Checks what a person shows to confirm a session. The person is signed in, so one factor is enough.
    private func require(_ proof: ConfirmationProof, of session: Session, for call: Call) async throws {
        let counter = ProofCounter.confirmation(of: session.user.id)
        switch proof {
        case .code(let text):
            guard let code = Secret(text, prefix: "") else { throw APIError.invalidCode }
            _ = try await use(code, of: session.user.id, in: session.id)
        case .password(let password):
            _ = try await checkPassword(password, of: session.user.email, for: call, counter)
            try await store.write { try $0.forgetFailures(counter) }
        case .secondFactor(let code):
            guard session.hasSecondFactor else { throw APIError.noSecondFactor }
            try await requireSecondFactor(code, of: session.user, for: call, counter)
        }
    }

    /// Uses a code of a user. Throws 401 `invalid_code`.
    private func use(_ code: Secret, of user: ID<User>, in session: ID<Session>? = nil) async throws -> ID<User> {
        try await store.write { installation in
            guard try installation.useSignInCode(code, in: session) == user else { throw APIError.invalidCode }
            return user
        }
    }

    /// Checks the password of an address. The work is the same for an unknown address. Until the caller forgets the
    /// failures of the counter, the attempt counts as one.
    private func checkPassword(
        _ password: String, of email: String, for call: Call, _ counter: ProofCounter
    ) async throws -> (User, hash: String, ProofAttempt) {
        try passwords.requireRoom(for: call.network)
        let (attempt, holder) = try await store.write { installation in
            (try installation.count(counter), try installation.passwordHolder(email: email))
        }
        let hash = holder?.hash.flatMap(PasswordHash.init(text:))
        RequestLog.note("by", "password")
        if let holder { RequestLog.note("user", holder.user.id) }
        guard try await passwords.matches(password, hash, for: call.network), let holder, let old = holder.hash,
            let hash
        else {
            throw APIError.invalidCredentials
        }
        guard !hash.isCurrent else { return (holder.user, old, attempt) }
        let renewed = try await passwords.hash(password, for: call.network)
        let isRenewed = try await store.write {
            try $0.replacePasswordHash(old, by: renewed.text, of: holder.user.id)
        }
        guard isRenewed else { throw APIError.invalidCredentials }
        return (holder.user, renewed.text, attempt)
    }

    private func me(_ caller: Caller) -> JSONValue {
        var user = JSONValue.null
        var token = JSONValue.null
        switch caller {
        case .user(let session, _):
            user = [
                "id": .string(session.user.id.description), "email": .string(session.user.email),
                "name": .string(session.user.name), "hasPassword": .bool(session.hasPassword),
                "hasSecondFactor": .bool(session.hasSecondFactor), "hasPasskey": .bool(session.hasPasskey),
                "byProvider": .bool(session.provider != nil),
                "confirmedUntil": .time(session.confirmedUntil),
            ]
        case .token(let credential):
            token = [
                "id": .string(credential.id.description), "name": .string(credential.name),
                "role": .string(credential.grant.role.rawValue),
                "labels": credential.grant.labelsJSON,
            ]
        }
        return [
            "user": user, "token": token,
            "organizations": .array(
                caller.memberships.map {
                    [
                        "slug": .string($0.organization.slug), "name": .string($0.organization.name),
                        "role": .string($0.role.rawValue),
                        "labels": $0.grant.labelsJSON,
                        "requiresSecondFactor": .bool($0.organization.requiresSecondFactor),
                        "deletionDueAt": .time($0.organization.deletion?.dueAt),
                    ]
                }),
            "installation": [
                "local": .bool(settings.isLocal), "version": .string(settings.version),
                "edgeURL": .text(settings.edgeURL), "sendsMail": .bool(settings.sendsMail),
                "organizationCreation": .string(settings.organizationCreation.rawValue),
            ],
        ]
    }
}

/// What a person shows to sign in.
private struct SignInProof {
    enum First {
        /// The code of a sign-in link.
        case code(String)
        case password(email: String?, String)
        /// The answer of an authenticator. It is enough, because the authenticator verified the user.
        case passkey(PasskeyAssertion)
    }

    let first: First
    let secondFactor: ShownFactor?

    static func read(_ reader: JSONObjectReader) -> SignInProof? {
        let email = reader.optional("email", .text(min: 1, max: 254))
        let code = reader.optional("code", .text(min: 1, max: 200))
        let password = reader.optional("password", .password)
        let secondFactor = reader.secondFactor()
        switch (code, password) {
        case (nil, nil):
            if case .passkey(let assertion)? = secondFactor, email == nil {
                return SignInProof(first: .passkey(assertion), secondFactor: nil)
            }
            reader.fault("password", "required", "send a password, a passkey, or the code of a sign-in link")
            return nil
        case (let code?, nil):
            if email != nil { reader.fault("email", "unexpected", "is only sent with a password") }
            return SignInProof(first: .code(code), secondFactor: secondFactor)
        case (nil, let password?):
            if email == nil { reader.fault("email", "required", "\"email\" is required with a password") }
            return SignInProof(first: .password(email: email, password), secondFactor: secondFactor)
        case (_?, _?):
            reader.fault("password", "unexpected", "is only sent without the code of a sign-in link")
            return nil
        }
    }
}

/// What a person shows to confirm a session.
private enum ConfirmationProof {
    /// The code of a sign-in link.
    case code(String)
    case password(String)
    case secondFactor(ShownFactor)

    static func read(_ reader: JSONObjectReader) -> ConfirmationProof? {
        let shown = [
            reader.optional("code", .text(min: 1, max: 200)).map(code),
            reader.optional("password", .password).map(password),
            reader.secondFactor().map(secondFactor),
        ].compactMap(\.self)
        guard shown.count == 1 else {
            reader.fault(
                "password", "required",
                "send one of these: a password, a second factor, a passkey, or the code of a sign-in link"
            )
            return nil
        }
        return shown[0]
    }
}

extension Caller {
    /// The session. Throws 403 `session_required` for a token.
    var session: Session {
        get throws(APIError) {
            guard case .user(let session, _) = self else { throw APIError.sessionRequired }
            return session
        }
    }
}

extension OpenSession {
    fileprivate func json(isCurrent: Bool) -> JSONValue {
        [
            "id": .string(id.description), "createdAt": .time(createdAt), "lastUsedAt": .time(lastUsedAt),
            "expiresAt": .time(expiresAt), "client": .string(client), "address": .string(address),
            "current": .bool(isCurrent),
        ]
    }
}

extension JSONShape where Value == String {
    /// A password. The rules for new ones are ``PasswordRules``.
    static var password: JSONShape<String> { .text(min: 1, max: PasswordRules.maximum) }

    /// A code of an authenticator app, or a recovery code.
    static var secondFactor: JSONShape<String> { .text(min: 1, max: 40) }
}

extension PasswordRules {
    /// Throws 422 if a new password is not accepted.
    static func require(_ password: String, names: [String]) throws(APIError) {
        guard let fault = fault(in: password, names: names) else { return }
        throw APIError.invalid(JSONPointer().appending("password"), fault.code, fault.detail)
    }
}

extension Call {
    /// The browser and the address of a sign-in.
    var origin: SignInOrigin {
        SignInOrigin(client: UserAgent.words(request.headerFields[.userAgent] ?? ""), address: address)
    }
}
