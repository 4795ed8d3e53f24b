public import FoundationEssentials
import Postgres

/// An identity at a provider that is connected with a user's account.
public struct Identity: Hashable, Sendable {
    /// The maximum number of identities of a user.
    public static let maximum = 20

    /// The ID of this entry.
    public let id: ID<Identity>
    /// The provider.
    public let issuer: String
    /// The time when it was connected.
    public let createdAt: Date
    /// The time of the last sign-in with it, or `nil`.
    public let lastUsedAt: Date?
}

/// A sign-in that waits for a provider's answer.
public struct ProviderSignIn: Hashable, Sendable {
    /// An answer is accepted for this number of seconds: ten minutes.
    public static let lifetime = 600

    /// The organization whose provider was asked.
    public let organization: ID<Organization>
    /// The nonce that the provider's token must have.
    public let nonce: String
    /// The PKCE code verifier.
    public let verifier: String
    /// The user who connects an identity, or `nil` for signing in.
    public let user: ID<User>?
    /// The SHA-256 of the code of an invitation, or `nil`.
    public let invitation: [UInt8]?
    /// Whether the person confirms that it is them, and so had to sign in at the provider again.
    public let isConfirmation: Bool

    /// Creates a sign-in.
    public init(
        organization: ID<Organization>, nonce: String, verifier: String, user: ID<User>? = nil,
        invitation: [UInt8]? = nil, isConfirmation: Bool = false
    ) {
        self.organization = organization
        self.nonce = nonce
        self.verifier = verifier
        self.user = user
        self.invitation = invitation
        self.isConfirmation = isConfirmation
    }
}

extension SystemTransaction {
    /// Remembers a sign-in until the provider answers.
    ///
    /// - Parameters:
    ///   - state: What the answer must repeat.
    ///   - browser: The secret in the cookie of the browser.
    public func begin(_ signIn: ProviderSignIn, state: Secret, browser: Secret) throws {
        try database.execute("delete from sign_in_attempts where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into sign_in_attempts (
              state_sha256, organization_id, browser_sha256, nonce, verifier, user_id, invitation_sha256,
              is_confirmation, expires_at)
            values (
              \(state.sha256), \(signIn.organization.uuid), \(browser.sha256), \(signIn.nonce), \(signIn.verifier),
              \(signIn.user?.uuid), \(signIn.invitation), \(signIn.isConfirmation),
              clock_timestamp() + make_interval(secs => \(ProviderSignIn.lifetime)::integer))
            """)
    }

    /// Ends a sign-in and returns it. Each works once. Throws ``SignInRefused/unknownAttempt``, also for another
    /// browser.
    public func endSignIn(state: Secret, browser: Secret) throws -> ProviderSignIn {
        let row = try database.first(
            """
            delete from sign_in_attempts
            where state_sha256 = \(state.sha256) and browser_sha256 = \(browser.sha256)
              and expires_at > clock_timestamp()
            returning organization_id, nonce, verifier, user_id, invitation_sha256, is_confirmation
            """)
        guard let row else { throw SignInRefused.unknownAttempt }
        return ProviderSignIn(
            organization: try row.id("organization_id"), nonce: try row.decode("nonce", as: String.self),
            verifier: try row.decode("verifier", as: String.self), user: try row.optionalID("user_id"),
            invitation: try row.decode("invitation_sha256", as: [UInt8]?.self),
            isConfirmation: try row.decode("is_confirmation", as: Bool.self))
    }

    /// The identities of a user, oldest first.
    public func identities(of user: ID<User>) throws -> [Identity] {
        try database.query(
            """
            select id, issuer, created_at, last_used_at from identities
            where user_id = \(user.uuid) order by created_at, id
            """
        ).map { row in
            Identity(
                id: try row.id("id"), issuer: try row.decode("issuer", as: String.self),
                createdAt: try row.decode("created_at", as: Date.self),
                lastUsedAt: try row.decode("last_used_at", as: Date?.self))
        }
    }

    /// Connects an identity with a user's account. Throws ``SignInRefused/otherAccount`` and `tooManyIdentities`.
    ///
    /// - Returns: False if it was connected already.
    public func connect(_ identity: ProvenIdentity, with user: ID<User>) throws -> Bool {
        if let known = try useIdentity(issuer: identity.issuer, subject: identity.subject) {
            guard known.id == user else { throw SignInRefused.otherAccount }
            return false
        }
        _ = try database.first("select id from users where id = \(user.uuid) for no key update")
        guard try identities(of: user).count < Identity.maximum else { throw StorageError.tooManyIdentities }
        try addIdentity(identity, of: user)
        return true
    }

    /// Disconnects an identity from a user's account, and ends the sessions of providers. Throws `notFound`.
    public func disconnect(_ id: ID<Identity>, from user: ID<User>) throws {
        let removed = try database.execute("delete from identities where id = \(id.uuid) and user_id = \(user.uuid)")
        guard removed == 1 else { throw StorageError.notFound(kind: "identity", key: id.description) }
        try closeProviderSessions(of: user)
    }

    /// The user of an identity, or `nil` if it is unknown. Records the use.
    func useIdentity(issuer: String, subject: String) throws -> User? {
        try database.first(
            """
            with used as (
              update identities set last_used_at = clock_timestamp()
              where issuer = \(issuer) and subject = \(subject)
              returning user_id
            )
            select users.id as user_id, users.email, users.name as user_name from used
            join users on users.id = used.user_id
            """
        ).map(User.init(row:))
    }

    /// Disconnects the identities of whom no provider said that they have the account's address.
    func removeIdentitiesOfOtherAddresses(of user: ID<User>) throws {
        try database.execute("delete from identities where user_id = \(user.uuid) and not has_address")
    }

    func addIdentity(_ identity: ProvenIdentity, of user: ID<User>) throws {
        try database.execute(
            """
            insert into identities (id, issuer, subject, user_id, last_used_at, has_address)
            select \(UUID()), \(identity.issuer), \(identity.subject), id, clock_timestamp(),
              coalesce(lower(email) = lower(\(identity.verifiedEmail)), false)
            from users where id = \(user.uuid)
            """)
    }
}
