import Fetching
import FoundationEssentials
import HTTPTypes
import OpenIDConnect
import Storage
import StrictJSON

/// `/v1/sign-in-provider`: the OpenID Connect provider of an organization. `/v1/provider-sign-ins`: signing in with it.
/// `/v1/me/identities`: the identities that are connected with the user's account.
extension API {
    func showSignInProvider(_ call: Call, _ member: Member) async throws -> Answer {
        let provider = try await read(as: member) { try $0.signInProvider() }
        return .json(json(provider, member.organization, call))
    }

    /// Sets the provider. Without a new secret, the stored one is kept, unless the issuer or the client changes.
    func setSignInProvider(_ call: Call, _ member: Member) async throws -> Answer {
        let sent = try call.decode { reader -> SignInProvider? in
            let issuer = reader.required("issuer", .text(min: 1, max: FetchURL.maximumLength))
            let clientID = reader.required("clientId", .clientText)
            let secret = reader.optional("clientSecret", .clientText)
            let domains = reader.optional(
                "domains", .array(of: .domainOfAddresses, max: SignInProvider.maximumDomains))
            let role = reader.optional("role", .choice(of: Role.self)) ?? .viewer
            guard let issuer, let clientID else { return nil }
            return SignInProvider(
                issuer: issuer, clientID: clientID, clientSecret: secret, domains: Set(domains ?? []).sorted(),
                role: role)
        }
        guard let issuer = FetchURL(sent.issuer, allowsLoopback: settings.allowsLoopbackIssuers),
            !sent.issuer.contains("?")
        else {
            throw APIError.invalid(
                JSONPointer().appending("issuer"), "invalid_issuer",
                "must be https:// and a host, exactly as the provider's tokens name it")
        }
        guard sent.role != .owner else {
            throw APIError.invalid(JSONPointer().appending("role"), "invalid_choice", "must be below owner")
        }
        // A mistake shows now, not when the first person signs in.
        do {
            let metadata = try await issuers.metadata(of: issuer, for: member.organization.slug, stepping: call)
            _ = try flow(of: sent, issuer, member.organization, call).signInURL(
                metadata, state: "", nonce: "", verifier: "")
        } catch let error as IssuerError {
            throw APIError.invalid(JSONPointer().appending("issuer"), "no_provider", error.description)
        }
        let set = try await write(as: member) { tenant in
            var provider = sent
            if let old = try tenant.signInProvider(), sent.clientSecret == nil,
                (old.issuer, old.clientID) == (sent.issuer, sent.clientID)
            {
                provider = SignInProvider(
                    issuer: sent.issuer, clientID: sent.clientID, clientSecret: old.clientSecret, domains: sent.domains,
                    role: sent.role)
            }
            try tenant.setSignInProvider(provider)
            // The provider was asked meanwhile, which takes seconds.
            if let user = member.user { _ = try tenant.lockedMember(user.id, for: user, with: .owner) }
            return provider
        }
        authentication.callers.forget()
        return .json(json(set, member.organization, call))
    }

    func removeSignInProvider(_ call: Call, _ member: Member) async throws -> Answer {
        try await write(as: member) { try $0.removeSignInProvider() }
        authentication.callers.forget()
        return .noContent
    }

    /// Begins a sign-in. The answer has the provider's page, and a cookie without which the sign-in cannot be finished.
    func beginProviderSignIn(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let (slug, invitation, isAgain) = try call.decode { reader -> (String, Secret?, Bool)? in
            let slug = reader.required("organization", .text(min: 1, max: 63))
            let code = reader.optional("invitation", .text(min: 1, max: 200))
            let isAgain = reader.optional("again", .bool) ?? false
            return slug.map { ($0, code.flatMap { Secret($0, prefix: "") }, isAgain) }
        }
        guard let organization = try await store.read({ try $0.organization(slug: slug) }) else {
            throw APIError.noProvider
        }
        return try await begin(in: organization, call, user: nil, invitation: invitation, isConfirmation: isAgain)
    }

    /// Begins to connect an identity of an organization's provider with the user's account.
    func beginIdentityConnection(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let slug = try call.decode { $0.required("organization", .text(min: 1, max: 63)) }
        guard let membership = caller.memberships.first(where: { $0.organization.slug == slug }) else {
            throw APIError.noProvider
        }
        return try await begin(in: membership.organization, call, user: user, invitation: nil, isConfirmation: false)
    }

    /// Finishes a sign-in with the provider's answer. The session is confirmed if the person has just signed in there: a
    /// provider also answers for the person who left the browser open.
    func finishProviderSignIn(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let answer = try call.decode {
            reader -> (state: Secret?, code: String, issuer: String?, organization: String)? in
            let state = reader.required("state", .text(min: 1, max: 200))
            let code = reader.required("code", .text(min: 1, max: ProviderSignInFlow.longestCode))
            let issuer = reader.optional("iss", .text(min: 1, max: FetchURL.maximumLength))
            let organization = reader.required("organization", .text(min: 1, max: 63))
            guard let state, let code, let organization else { return nil }
            return (Secret(state, prefix: ""), code, issuer, organization)
        }
        guard let state = answer.state, let browser = browserCookie.secret(in: call.request) else {
            throw SignInRefused.unknownAttempt
        }
        RequestLog.note("by", "provider")
        let signIn = try await store.write { try $0.endSignIn(state: state, browser: browser) }
        let (organization, provider) = try await store.read(as: signIn.organization) { tenant in
            (try tenant.currentOrganization(), try tenant.signInProvider())
        }
        guard organization.slug == answer.organization else { throw SignInRefused.unknownAttempt }
        let (identity, age) = try await proven(
            by: answer.code, answer.issuer, signIn, provider, organization, call)
        if let user = signIn.user { return try await connect(identity, with: user, call) }
        if signIn.isConfirmation { try Self.requireRecent(age) }
        let author = Author(kind: .user, name: identity.verifiedEmail ?? "\(identity.subject) at \(identity.issuer)")
        let opened = try await store.write(as: organization.id, by: author) { tenant in
            let user = try tenant.admit(identity, invitation: signIn.invitation)
            return try openSession(
                of: user.id, for: call, in: tenant.system, by: organization.id, provenAgo: age ?? .infinity)
        }
        RequestLog.note("user", opened.session.user.id)
        authentication.callers.forget()
        return self.answer(opened)
    }

    func listIdentities(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let identities = try await store.read { try $0.identities(of: user.id) }
        var providers: [JSONValue] = []
        for organization in caller.memberships.map(\.organization) {
            guard let provider = try await store.read(as: organization.id, { try $0.signInProvider() }) else {
                continue
            }
            providers.append(["organization": .string(organization.slug), "issuer": .string(provider.issuer)])
        }
        return .json(["items": .array(identities.map(\.json)), "providers": .array(providers)])
    }

    func disconnectIdentity(_ call: Call, _ caller: Caller) async throws -> Answer {
        let (user, id) = (try caller.session.user, try call.id("identity") as ID<Identity>)
        try await store.write { installation in
            try installation.disconnect(id, from: user.id)
            try installation.mailSignInChange(.identityDisconnected, to: user)
        }
        authentication.callers.forget()
        return .noContent
    }
}

extension API {
    private func begin(
        in organization: Organization, _ call: Call, user: User?, invitation: Secret?, isConfirmation: Bool
    ) async throws -> Answer {
        guard let provider = try await store.read(as: organization.id, { try $0.signInProvider() }),
            let issuer = FetchURL(provider.issuer, allowsLoopback: settings.allowsLoopbackIssuers)
        else { throw APIError.noProvider }
        let metadata = try await metadata(of: issuer, call, organization)
        let (state, browser) = (Secret(prefix: ""), Secret(prefix: ""))
        let signIn = ProviderSignIn(
            organization: organization.id, nonce: ProviderSignInFlow.randomText(),
            verifier: ProviderSignInFlow.randomText(), user: user?.id, invitation: invitation?.sha256,
            isConfirmation: isConfirmation)
        let location = try flow(of: provider, issuer, organization, call).signInURL(
            metadata, state: state.text, nonce: signIn.nonce, verifier: signIn.verifier,
            maximumAge: isConfirmation ? Session.confirmationLifetime : nil)
        try await store.write { try $0.begin(signIn, state: state, browser: browser) }
        return Answer.json(["location": .string(location)], .created).with(
            .setCookie, browserCookie.setting(browser))
    }

    /// Checks how many seconds ago a person who confirms signed in at the provider.
    private static func requireRecent(_ age: Double?) throws(APIError) {
        guard let age else { throw APIError.signInTimeUnknown }
        guard age < Double(Session.confirmationLifetime) else { throw APIError.notSignedInAgain }
    }

    /// Exchanges the provider's code for a token, and verifies it. Meanwhile, other requests use the slot. Also returns
    /// the number of seconds since the person signed in at the provider, if it says it.
    private func proven(
        by code: String, _ namedIssuer: String?, _ signIn: ProviderSignIn, _ provider: SignInProvider?,
        _ organization: Organization, _ call: Call
    ) async throws -> (ProvenIdentity, age: Double?) {
        guard let provider, let issuer = FetchURL(provider.issuer, allowsLoopback: settings.allowsLoopbackIssuers)
        else {
            throw SignInRefused.providerChanged
        }
        let flow = flow(of: provider, issuer, organization, call)
        let token: IDToken
        do {
            token = try await call.concurrency.stepAside(from: call.claimant) {
                try await flow.finish(
                    code: code, namedIssuer: namedIssuer, nonce: signIn.nonce, verifier: signIn.verifier, keys: issuers,
                    client: client, for: organization.slug, now: Date().timeIntervalSince1970)
            }
        } catch let error as TokenError {
            throw APIError.signInRefused(error.description)
        } catch let error as IssuerError {
            throw APIError.issuerUnavailable(error)
        }
        guard let subject = token.claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
            throw APIError.signInRefused("Its token has no usable sub.")
        }
        let isVerified = token.claims["email_verified"]?.bool ?? false
        let email = token.claims["email"].flatMap(JSONShape<String>.emailAddress.valid)
        let name = token.claims["name"].flatMap(JSONShape<String>.name.valid)
        let identity = ProvenIdentity(
            issuer: token.issuer, subject: subject, verifiedEmail: isVerified ? email : nil, name: name)
        return (identity, token.secondsSinceSignIn(now: Date().timeIntervalSince1970))
    }

    private func connect(_ identity: ProvenIdentity, with user: ID<User>, _ call: Call) async throws -> Answer {
        // Only the user who began may finish, and still signed in.
        guard let secret = authentication.cookie.secret(in: call.request),
            let session = try await store.session(secret), session.user.id == user, session.provider == nil
        else { throw SignInRefused.unknownAttempt }
        let renewed = try await store.write { installation in
            if try installation.connect(identity, with: user) {
                try installation.mailSignInChange(.identityConnected, to: session.user)
            }
            return try installation.renewSession(session.id, isConfirmed: false)
        }
        authentication.callers.forget()
        guard let renewed else { throw APIError.sessionEnded }
        return answer(renewed)
    }

    private func metadata(
        of issuer: FetchURL, _ call: Call, _ organization: Organization
    ) async throws -> ProviderMetadata {
        do {
            return try await issuers.metadata(of: issuer, for: organization.slug, stepping: call)
        } catch let error as IssuerError {
            throw APIError.issuerUnavailable(error)
        }
    }

    private func flow(
        of provider: SignInProvider, _ issuer: FetchURL, _ organization: Organization, _ call: Call
    ) -> ProviderSignInFlow {
        ProviderSignInFlow(
            issuer: issuer, clientID: provider.clientID, clientSecret: provider.clientSecret,
            redirectURI: returnAddress(of: organization, call))
    }

    /// The page to which an organization's provider returns. Each organization has its own address, so a provider that sends
    /// people on to the provider of another organization does not get that one's answer
    /// (https://www.rfc-editor.org/rfc/rfc9700#section-4.4.2.2).
    private func returnAddress(of organization: Organization, _ call: Call) -> String {
        authentication.ownAddress(call.request) + "/sign-in/return/" + organization.slug
    }

    /// The cookie of the browser that began a sign-in.
    private var browserCookie: SessionCookie {
        SessionCookie(
            isSecure: authentication.cookie.isSecure, purpose: "-sign-in", lifetime: ProviderSignIn.lifetime)
    }

    private func json(_ provider: SignInProvider?, _ organization: Organization, _ call: Call) -> JSONValue {
        ["provider": provider?.json ?? .null, "redirectURI": .string(returnAddress(of: organization, call))]
    }
}

extension SignInProvider {
    /// The provider without its secret.
    var json: JSONValue {
        [
            "issuer": .string(issuer), "clientId": .string(clientID), "hasClientSecret": .bool(clientSecret != nil),
            "domains": .array(domains.map(JSONValue.string)), "role": .string(role.rawValue),
        ]
    }
}

extension IssuerKeys {
    /// The addresses of a provider. Other requests use the call's slot while the provider is asked.
    fileprivate func metadata(
        of issuer: FetchURL, for owner: String, stepping call: Call
    ) async throws -> ProviderMetadata {
        try await call.concurrency.stepAside(from: call.claimant) { @Sendable in
            try await metadata(of: issuer, for: owner)
        }
    }
}

extension Identity {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "issuer": .string(issuer), "createdAt": .time(createdAt),
            "lastUsedAt": lastUsedAt.map { .time($0) } ?? .null,
        ]
    }
}

extension JSONShape {
    /// A value of this shape, or `nil` if it has another one.
    fileprivate func valid(_ value: JSONValue) -> Value? {
        let faults = JSONFaultCollector()
        let read = read(value, at: JSONPointer(), faults)
        return faults.faults.isEmpty ? read : nil
    }
}

extension JSONShape where Value == String {
    /// A client's ID or secret: 1 to 500 characters.
    fileprivate static var clientText: JSONShape<String> { .plainText(min: 1, max: 500) }

    /// The domain of e-mail addresses, in lower case.
    fileprivate static var domainOfAddresses: JSONShape<String> {
        .plainText(min: 3, max: 253).then { (text: String) throws(NoDomain) in
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), !text.contains("@"),
                !text.contains(where: \.isWhitespace)
            else { throw NoDomain() }
            return text.lowercased()
        }
    }
}

private struct NoDomain: JSONFaultReason {
    var code: String { "invalid_domain" }
    var detail: String { "must be a domain of e-mail addresses, such as example.com" }
}

extension APIError {
    fileprivate static let noProvider = APIError(
        .notFound, "not_found", "People do not sign in to this organization with a provider. Check its short name.")

    fileprivate static func issuerUnavailable(_ error: IssuerError) -> APIError {
        APIError(.serviceUnavailable, "issuer_unavailable", error.description).with(.retryAfter, "5")
    }

    fileprivate static func signInRefused(_ reason: String) -> APIError {
        APIError(.unauthorized, "sign_in_refused", "The provider's answer is not accepted. \(reason)")
    }

    fileprivate static let signInTimeUnknown = APIError(
        .unauthorized, "sign_in_refused",
        "Your provider does not say when you signed in there, so this does not confirm that it is you. Ask its "
            + "administrator to send `auth_time`, or confirm with a password, a passkey or a sign-in link."
    )

    fileprivate static let notSignedInAgain = APIError(
        .unauthorized, "sign_in_refused",
        "Your provider did not ask you to sign in again, so this does not confirm that it is you. Sign out there, then "
            + "try again.")

    init(_ refusal: SignInRefused) {
        switch refusal {
        case .unknownAttempt:
            self.init(
                .unauthorized, "sign_in_refused",
                "This sign-in is unknown, finished, or older than ten minutes, or another browser began it. Begin again."
            )
        case .providerChanged:
            self.init(.unauthorized, "sign_in_refused", "The organization has changed its provider. Begin again.")
        case .noMember:
            self.init(
                .forbidden, "not_a_member",
                "You are not a member of this organization, and your e-mail address does not let you join. Ask an "
                    + "administrator to invite you.")
        case .formerMember:
            self.init(
                .forbidden, "not_a_member",
                "You are no longer a member of this organization. Ask an administrator to invite you.")
        case .accountExists(let email):
            self.init(
                .conflict, "account_exists",
                "There is an account with the address \(email). Sign in to it in another way, and connect the provider on "
                    + "the page “Your account”.")
        case .otherAccount:
            self.init(
                .conflict, "identity_taken",
                "This identity is connected with another account. Disconnect it there first.")
        }
    }

    /// The session of a provider cannot change the account.
    static let ownAccountRequired = APIError(
        .forbidden, "own_account_required",
        "Your organization's provider has signed you in. Sign in with a password, a passkey or a link to change your account."
    )
}
