public import FoundationEssentials
import Postgres
import StrictJSON

/// The OpenID Connect provider with which people sign in to an organization.
public struct SignInProvider: Hashable, Sendable {
    /// The maximum number of domains.
    public static let maximumDomains = 50

    /// The issuer's address, exactly as its tokens name it.
    public let issuer: String
    /// The ID under which the provider knows Waymark.
    public let clientID: String
    /// The secret for the provider, or `nil` for a public client.
    public let clientSecret: String?
    /// The domains of e-mail addresses whose owners may join, in lower case.
    public let domains: [String]
    /// The role of a person who joins. It is not `owner`.
    public let role: Role

    /// Creates a provider.
    public init(issuer: String, clientID: String, clientSecret: String?, domains: [String], role: Role) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.domains = domains
        self.role = role
    }

    /// Whether the owner of an e-mail address may join.
    public func admits(_ email: String) -> Bool {
        email.lowercased().split(separator: "@").last.map { domains.contains(String($0)) } ?? false
    }

    /// The provider for the audit trail, without its secret.
    fileprivate var detail: JSONValue {
        [
            "issuer": .string(issuer), "clientId": .string(clientID),
            "domains": .array(domains.map(JSONValue.string)), "role": .string(role.rawValue),
        ]
    }
}

extension TenantTransaction {
    /// The organization's provider, or `nil` if it has none.
    public func signInProvider() throws -> SignInProvider? {
        try database.first(
            """
            select issuer, client_id, client_secret, domains, role from sign_in_providers
            where organization_id = \(organization.uuid)
            """
        ).map { row in
            SignInProvider(
                issuer: try row.decode("issuer", as: String.self),
                clientID: try row.decode("client_id", as: String.self),
                clientSecret: try row.decode("client_secret", as: String?.self),
                domains: try row.decode("domains", as: [String].self),
                role: try row.value("role", Role.init(rawValue:)))
        }
    }

    /// Sets the organization's provider. With another issuer or client, the sessions that the old one opened end.
    public func setSignInProvider(_ provider: SignInProvider) throws {
        let old = try lockedSignInProvider()
        guard provider != old else { return }
        try database.execute(
            """
            insert into sign_in_providers (organization_id, issuer, client_id, client_secret, domains, role)
            values (
              \(organization.uuid), \(provider.issuer), \(provider.clientID), \(provider.clientSecret),
              \(provider.domains), \(provider.role.rawValue))
            on conflict on constraint sign_in_providers_key do update
            set issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret,
              domains = excluded.domains, role = excluded.role
            """)
        if let old, (old.issuer, old.clientID) != (provider.issuer, provider.clientID) { try endProviderSessions() }
        try audit(.providerSet, provider.issuer, provider.detail.replacing((old ?? provider).detail))
    }

    /// Removes the organization's provider, if it has one, and ends the sessions that the provider opened.
    public func removeSignInProvider() throws {
        guard let old = try lockedSignInProvider() else { return }
        try database.execute("delete from sign_in_providers where organization_id = \(organization.uuid)")
        try endProviderSessions()
        try audit(.providerRemoved, old.issuer, old.detail)
    }

    private func lockedSignInProvider() throws -> SignInProvider? {
        try lockMembers()
        return try signInProvider()
    }

    private func endProviderSessions() throws {
        try system.closeSessions(ofProviderOf: organization)
    }

    /// Admits a person whom the organization's provider has identified: an identity of a member, or one that may join.
    /// The provider must be the one that the sign-in began with.
    ///
    /// - Parameters:
    ///   - identity: What the provider says about the person.
    ///   - invitation: The SHA-256 of the code of an invitation, if the person came with one.
    /// - Throws: ``SignInRefused``, and the errors of ``acceptInvitation(_:by:)``.
    public func admit(_ identity: ProvenIdentity, invitation: [UInt8]?) throws -> User {
        try lockMembers()
        guard let provider = try signInProvider(), provider.issuer == identity.issuer else {
            throw SignInRefused.providerChanged
        }
        let known = try system.useIdentity(issuer: identity.issuer, subject: identity.subject)
        if let known, try member(known.id) != nil { return known }
        if let invitation {
            let user = try acceptInvitation(
                digest: invitation, by: known.map { .existing($0) } ?? .identified(identity))
            if known == nil { try system.addIdentity(identity, of: user.id) }
            return user
        }
        guard let email = identity.verifiedEmail, provider.admits(email) else { throw SignInRefused.noMember }
        let user: User
        if let known {
            guard try !isFormerMember(known.id) else { throw SignInRefused.formerMember }
            // An identity can be connected with an account of another address. The provider vouches only for its own.
            guard known.email.lowercased() == email.lowercased() else { throw SignInRefused.noMember }
            user = known
        } else {
            guard try system.user(email: email) == nil else { throw SignInRefused.accountExists(email: email) }
            user = try system.createUser(
                email: email, name: identity.name ?? email, passwordHash: nil, isVerified: false)
            try system.addIdentity(identity, of: user.id)
        }
        try setRole(provider.role, of: user)
        return user
    }

    private func isFormerMember(_ user: ID<User>) throws -> Bool {
        try database.first(
            """
            select 1 as one from former_members
            where organization_id = \(organization.uuid) and user_id = \(user.uuid)
            """) != nil
    }
}

/// What a provider says about a person, in a verified token.
public struct ProvenIdentity: Hashable, Sendable {
    /// The issuer.
    public let issuer: String
    /// The issuer's ID of the person, at most 255 bytes.
    public let subject: String
    /// The e-mail address, if the provider says that it is verified.
    public let verifiedEmail: String?
    /// The name, if known.
    public let name: String?

    /// Creates an identity.
    public init(issuer: String, subject: String, verifiedEmail: String?, name: String?) {
        self.issuer = issuer
        self.subject = subject
        self.verifiedEmail = verifiedEmail
        self.name = name
    }
}

/// The reason why a person whom a provider has identified is not signed in.
public enum SignInRefused: Error, Hashable, Sendable {
    /// The answer belongs to no attempt of this browser, or the attempt has ended.
    case unknownAttempt
    /// The organization's provider was changed meanwhile.
    case providerChanged
    /// The person is not a member, and may not join.
    case noMember
    /// The person's membership ended. Only an invitation makes them a member again.
    case formerMember
    /// Another account has the e-mail address. An address does not prove who the person is.
    case accountExists(email: String)
    /// The identity is connected with another account.
    case otherAccount
}
