import HTTPTypes
import PasswordHashing
import Storage
import StrictJSON

/// `/v1/invitations`: people who are invited to the organization. `/v1/invitation-views` and `/v1/invitation-acceptances`:
/// for the invited person. A member cannot invite to a role above their own.
extension API {
    func listInvitations(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let invitations = try await read(as: member) { try $0.invitations(page) }
        return call.list(invitations) { $0.json() }
    }

    func createInvitation(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode {
            reader -> (email: String, name: String?, grant: Grant, seconds: Int, delivery: InvitationDelivery?)? in
            let email = reader.required("email", .emailAddress)
            let name = reader.optional("name", .name)
            let grant = reader.grant()
            let seconds = reader.optional("lifetimeSeconds", .int(in: 3_600...30 * Self.day)) ?? 7 * Self.day
            let delivery = reader.optional("delivery", .choice(of: InvitationDelivery.self))
            guard let email, let grant else { return nil }
            return (email, name, grant, seconds, delivery)
        }
        let delivery = try usable(new.delivery)
        try member.requireRole(new.grant.role, because: "the invited person would have this role")
        let made = try await write(as: member) {
            try $0.invite(
                email: new.email, name: new.name, role: new.grant.role, labels: new.grant.labels, by: member.user,
                seconds: new.seconds, delivery: delivery)
        }
        return .created(json(made, call), at: "/v1/invitations/\(made.invitation.id)").withSecret
    }

    func showInvitation(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.invitationID()
        return .json(try await read(as: member) { try $0.invitation(id) }.json())
    }

    func withdrawInvitation(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.invitationID()
        let withdrawn = try await write(as: member) { tenant in
            try member.requireRole(try tenant.invitation(id).role, because: "the invitation is to this role")
            return try tenant.withdrawInvitation(id)
        }
        return .json(withdrawn.json())
    }

    func renewInvitation(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.invitationID()
        let asked =
            try call.body.isEmpty
            ? nil : call.decode { .some($0.optional("delivery", .choice(of: InvitationDelivery.self))) }
        let delivery = try usable(asked)
        let renewed = try await write(as: member) { tenant in
            try member.requireRole(try tenant.invitation(id).role, because: "the invitation is to this role")
            return try tenant.renewInvitation(id, by: member.user, delivery: delivery)
        }
        return Answer.json(json(renewed, call)).withSecret
    }

    /// Shows an invitation to the holder of its code. Changes nothing, because programs that check mails open links.
    func viewInvitation(_ call: Call) async throws -> Answer {
        let text = try call.decode { $0.required("code", .text(min: 1, max: 200)) }
        let open = try await openInvitation(text)
        let provider = try await store.read(as: open.organization.id) { try $0.signInProvider() }
        return .json(open.json(provider: provider))
    }

    func acceptInvitation(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let sent = try call.decode { reader -> (code: String, name: String?, password: String?)? in
            let code = reader.required("code", .text(min: 1, max: 200))
            let (name, password) = (reader.optional("name", .name), reader.optional("password", .password))
            return code.map { ($0, name, password) }
        }
        let open = try await openInvitation(sent.code)
        let (invitation, organization) = (open.invitation, open.organization)
        let session = try await signedIn(call)
        guard session?.provider == nil else { throw APIError.ownAccountRequired }
        let invitee = try await invitee(for: open, sent.name, sent.password, session?.user, call)
        let author = Author(kind: .user, name: invitation.email)
        let opened = try await store.write(as: organization.id, by: author) { tenant in
            guard let code = Secret(sent.code, prefix: "") else { throw InvitationError.unknown }
            let user = try tenant.acceptInvitation(code, by: invitee)
            guard let session else { return try tenant.system.openSession(of: user.id, from: call.origin) }
            // The user's rights change, so the session gets a new secret.
            guard let renewed = try tenant.system.renewSession(session.id, isConfirmed: false) else {
                throw APIError.sessionEnded
            }
            return renewed
        }
        authentication.callers.forget()
        return answer(opened, .created)
    }

    /// The way to deliver an invitation: by default by mail, if the installation has a mail server. Throws 409
    /// `no_mail_server`.
    private func usable(_ asked: InvitationDelivery?) throws(APIError) -> InvitationDelivery {
        if asked == .mail {
            try requireMailServer("Send the link yourself: omit `delivery`, or set it to `link`.")
        }
        return asked ?? (settings.sendsMail ? .mail : .link)
    }

    private func openInvitation(_ text: String) async throws -> OpenInvitation {
        guard let code = Secret(text, prefix: "") else { throw InvitationError.unknown }
        return try await store.read { try $0.openInvitation(code) }
    }

    /// The session of a call that does not need one, or `nil`.
    private func signedIn(_ call: Call) async throws -> Session? {
        guard let secret = authentication.cookie.secret(in: call.request) else { return nil }
        try authentication.requireSameOrigin(call.request)
        return try await store.session(secret)
    }

    private func invitee(
        for open: OpenInvitation, _ name: String?, _ password: String?, _ user: User?, _ call: Call
    ) async throws -> Invitee {
        let email = open.invitation.email
        if let user {
            guard user.email.lowercased() == email.lowercased() else { throw InvitationError.otherUser(email: email) }
            return .existing(user)
        }
        guard !open.hasAccount else { throw InvitationError.signInRequired(email: email) }
        guard let password, let name = name ?? open.invitation.name else {
            throw APIError.invalid(
                (name ?? open.invitation.name == nil ? ["name"] : []).map(Self.missing)
                    + (password == nil ? ["password"] : []).map(Self.missing))
        }
        try PasswordRules.require(password, names: [email, name])
        return .new(name: name, passwordHash: try await passwords.hash(password, for: call.network).text)
    }

    private static func missing(_ field: String) -> JSONFault {
        JSONFault(pointer: JSONPointer().appending(field), code: "required", detail: "\"\(field)\" is required")
    }

    private func json(_ made: NewInvitation, _ call: Call) -> JSONValue {
        made.invitation.json(link: made.code.map { "\(authentication.ownAddress(call.request))/invitation#\($0.text)" })
    }
}

extension Invitation {
    /// - Parameter link: The link to accept the invitation, if it was just made and is not sent by mail.
    func json(link: String? = nil) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("id", .string(id.description)), ("email", .string(email)), ("name", .text(name)),
            ("role", .string(role.rawValue)), ("labels", grant.labelsJSON), ("invitedBy", .string(inviter)),
            ("createdAt", .time(createdAt)),
            ("expiresAt", .time(expiresAt)), ("state", .string(state.rawValue)),
            ("mail", mail.map { ["state": .string($0.state.rawValue), "cause": .text($0.cause)] } ?? .null),
        ]
        if let link { members.append(("link", .string(link))) }
        return .object(JSONObject(members))
    }
}

extension OpenInvitation {
    /// - Parameter provider: The organization's provider, with which the invited person can join.
    fileprivate func json(provider: SignInProvider?) -> JSONValue {
        [
            "organization": ["slug": .string(organization.slug), "name": .string(organization.name)],
            "email": .string(invitation.email), "name": .text(invitation.name),
            "role": .string(invitation.role.rawValue),
            "labels": invitation.grant.labelsJSON, "invitedBy": .string(invitation.inviter),
            "expiresAt": .time(invitation.expiresAt), "hasAccount": .bool(hasAccount),
            "provider": .text(provider?.issuer),
        ]
    }
}

extension JSONShape where Value == String {
    /// An e-mail address: 3 to 254 characters, with text on both sides of an `@`, and without white space.
    static var emailAddress: JSONShape<String> {
        .plainText(min: 3, max: 254).then { (text: String) throws(NoAddress) in
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.contains(where: \.isWhitespace) else {
                throw NoAddress()
            }
            return text
        }
    }
}

private struct NoAddress: JSONFaultReason {
    var code: String { "invalid_email" }
    var detail: String { "must be an e-mail address, such as ada@example.com" }
}

extension Call {
    fileprivate func invitationID() throws -> ID<Invitation> { try id("invitation") }
}
