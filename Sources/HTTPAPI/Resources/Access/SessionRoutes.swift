import HTTPTypes
import Storage
import StrictJSON

/// `/v1/session`: signing in to and out of the dashboard. `/v1/me`: the caller.
extension API {
    func signIn(_ call: Call) async throws -> Answer {
        let fields = call.request.headerFields
        // Programs send neither field. If a field is present, check it, so that pages of other sites cannot sign users
        // in.
        if fields[.origin] != nil || fields[.secFetchSite] != nil { try authentication.requireSameOrigin(call.request) }
        let text = try call.decode { $0.required("code", .text(min: 1, max: 200)) }
        // The browser replaces its session cookie, so the old session must be ended.
        let replaced = authentication.cookie.secret(in: call.request)
        let opened =
            if let code = Secret(text, prefix: "") {
                try await store.write { installation in
                    let opened = try installation.openSession(code: code, seconds: SessionCookie.seconds)
                    if opened != nil, let replaced { try installation.closeSession(replaced) }
                    return opened
                }
            } else {
                (secret: Secret, session: Session)?.none
            }
        if replaced != nil, opened != nil { authentication.callers.forget() }
        guard let opened else {
            throw APIError(
                .unauthorized, "invalid_code",
                "The sign-in link is unknown, already used or expired. Ask for a new one.")
        }
        return Answer.json(me(.user(opened.session, secret: opened.secret)))
            .with(.setCookie, authentication.cookie.setting(opened.secret))
    }

    func signOut(_ call: Call, _ caller: Caller) async throws -> Answer {
        guard case .user(_, let secret) = caller else {
            throw APIError(.badRequest, "no_session", "A token has no session to end.")
        }
        try await store.write { try $0.closeSession(secret) }
        authentication.callers.forget()
        return Answer.noContent.with(.setCookie, authentication.cookie.clearing)
    }

    func showMe(_ call: Call, _ caller: Caller) async throws -> Answer {
        .json(me(caller))
    }

    private func me(_ caller: Caller) -> JSONValue {
        var user = JSONValue.null
        var token = JSONValue.null
        switch caller {
        case .user(let session, _):
            user = [
                "id": .string(session.user.id.description), "email": .string(session.user.email),
                "name": .string(session.user.name),
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
                "edgeURL": .text(settings.edgeURL),
            ],
        ]
    }
}
