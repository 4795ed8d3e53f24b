import HTTPTypes
import PasswordHashing
import Storage
import StrictJSON

/// `/v1/session`: signing in to and out of the dashboard. `/v1/sessions`: where a user is signed in. `/v1/me`: the caller.
extension API {
    func signIn(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let user = try await self.user(provenBy: call.decode(SignInProof.read))
        // The browser replaces its session cookie, so the old session must be ended.
        let replaced = authentication.cookie.secret(in: call.request)
        let opened = try await store.write { installation in
            if let replaced { try installation.closeSession(replaced) }
            return try installation.openSession(of: user, from: call.origin)
        }
        if replaced != nil { authentication.callers.forget() }
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
        _ = try await user(provenBy: call.decode(SignInProof.readConfirmation), in: session)
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
        let hash = try await passwords.hash(password)
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

    /// The answer to a sign-in: the caller, and the cookie with the session's secret.
    func answer(_ opened: (secret: Secret, session: Session), _ status: HTTPResponse.Status = .ok) -> Answer {
        Answer.json(me(.user(opened.session, secret: opened.secret)), status)
            .with(.setCookie, authentication.cookie.setting(opened.secret))
    }

    /// Checks a code or a password. Returns the user.
    ///
    /// - Parameter session: The session to confirm. Its user is then required. `nil` for a sign-in.
    private func user(provenBy proof: SignInProof, in session: Session? = nil) async throws -> ID<User> {
        switch proof {
        case .code(let text):
            guard let code = Secret(text, prefix: "") else { throw APIError.invalidCode }
            let user = try await store.write { installation in
                let user = try installation.useSignInCode(code, in: session?.id)
                guard session == nil || user == session?.user.id else { throw APIError.invalidCode }
                return user
            }
            guard let user else { throw APIError.invalidCode }
            return user
        case .password(let address, let password):
            guard let email = session?.user.email ?? address else { throw APIError.invalidCredentials }
            return try await checkPassword(password, of: email)
        }
    }

    /// Checks the password of an address. The work is the same for an unknown address.
    private func checkPassword(_ password: String, of email: String) async throws -> ID<User> {
        try passwords.requireRoom()
        let holder = try await store.write { installation in
            try installation.countSignIn(email: email)
            return try installation.passwordHolder(email: email)
        }
        let hash = holder?.hash.flatMap(PasswordHash.init(text:))
        guard try await passwords.matches(password, hash), let holder, let hash else {
            throw APIError.invalidCredentials
        }
        let renewed = hash.isCurrent ? nil : try await passwords.hash(password)
        try await store.write { installation in
            try installation.forgetSignInFailures(email: email)
            if let renewed { try installation.setPasswordHash(renewed.text, of: holder.user.id) }
        }
        return holder.user.id
    }

    private func me(_ caller: Caller) -> JSONValue {
        var user = JSONValue.null
        var token = JSONValue.null
        switch caller {
        case .user(let session, _):
            user = [
                "id": .string(session.user.id.description), "email": .string(session.user.email),
                "name": .string(session.user.name), "hasPassword": .bool(session.hasPassword),
                "confirmedUntil": .time(session.confirmedUntil),
            ]
        case .token(let credential):
            token = [
                "id": .string(credential.id.description), "name": .string(credential.name),
                "role": .string(credential.role.rawValue),
            ]
        }
        return [
            "user": user, "token": token,
            "organizations": .array(
                caller.memberships.map {
                    [
                        "slug": .string($0.organization.slug), "name": .string($0.organization.name),
                        "role": .string($0.role.rawValue),
                    ]
                }),
            "installation": [
                "local": .bool(settings.isLocal), "version": .string(settings.version),
                "edgeURL": .text(settings.edgeURL), "sendsMail": .bool(settings.sendsMail),
            ],
        ]
    }
}

/// What a person shows to sign in, or to confirm a session.
private enum SignInProof {
    /// The code of a one-time link.
    case code(String)
    /// A password. The address is `nil` if the user is already known.
    case password(email: String?, String)

    static func read(_ reader: JSONObjectReader) -> SignInProof? {
        let email = reader.optional("email", .text(min: 1, max: 254))
        let proof = readConfirmation(reader)
        switch proof {
        case .password(_, let password):
            if email == nil { reader.fault("email", "required", "\"email\" is required with a password") }
            return .password(email: email, password)
        case .code where email != nil:
            reader.fault("email", "unexpected", "is only sent with a password")
            return nil
        default: return proof
        }
    }

    static func readConfirmation(_ reader: JSONObjectReader) -> SignInProof? {
        let code = reader.optional("code", .text(min: 1, max: 200))
        let password = reader.optional("password", .password)
        switch (code, password) {
        case (let code?, nil): return .code(code)
        case (nil, let password?): return .password(email: nil, password)
        default:
            reader.fault("password", "required", "send either a password or the code of a one-time link")
            return nil
        }
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
        SignInOrigin(client: UserAgent.words(request.headerFields[.userAgent] ?? ""), address: peer)
    }
}
