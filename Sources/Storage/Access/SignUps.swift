import Postgres

/// The error if a user owns ``SystemTransaction/maximumOwnedOrganizations`` organizations.
public struct TooManyOrganizations: Error, Hashable, Sendable {}

extension SystemTransaction {
    /// The number of seconds for which the link to create an account works: an hour.
    public static let signUpLifetime = 3_600
    /// The maximum number of organizations that a user can own and still create another one.
    public static let maximumOwnedOrganizations = 10

    /// Queues a mail with a link to create an account. If a user has the address, the mail says so instead. Does nothing
    /// if the address was sent one within the last 5 minutes. Throws ``MailLimit``.
    public func mailSignUp(to email: String) throws { try queueRequestedMail("signUp", to: email) }

    /// Creates the code of a link. Codes that have expired are deleted.
    func createSignUpCode(for email: String) throws -> Secret {
        let code = Secret(prefix: "")
        try database.execute("delete from sign_ups where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into sign_ups (code_sha256, email, expires_at)
            values (
              \(code.sha256), \(email),
              clock_timestamp() + make_interval(secs => \(Self.signUpLifetime)::integer))
            """)
        return code
    }

    /// The address of a code, or `nil` if the code is unknown, used or expired. The code stays valid.
    public func email(ofSignUpCode code: Secret) throws -> String? {
        try database.first(
            "select email from sign_ups where code_sha256 = \(code.sha256) and expires_at > clock_timestamp()"
        ).map { try $0.decode("email", as: String.self) }
    }

    /// Uses a code, and creates its user. The address counts as verified, because only its owner gets the code. Returns
    /// `nil` if the code is unknown, used or expired. Throws `exists` if a user has the address.
    public func signUp(_ code: Secret, name: String, passwordHash: String) throws -> User? {
        let used = try database.first(
            """
            delete from sign_ups where code_sha256 = \(code.sha256)
            returning email, expires_at > clock_timestamp() as is_fresh
            """)
        guard let used, try used.decode("is_fresh", as: Bool.self) else { return nil }
        return try createUser(
            email: used.decode("email", as: String.self), name: name, passwordHash: passwordHash, isVerified: true)
    }
}

extension TenantTransaction {
    /// Creates the organization that this transaction is bound to, with a user as its owner. Throws `exists` if the slug
    /// is taken, and ``TooManyOrganizations``.
    public func createOrganization(slug: String, name: String, owner: User) throws -> Organization {
        // Without the lock, a user could exceed the limit by creating several at the same time.
        _ = try database.first("select id from users where id = \(owner.id.uuid) for no key update")
        let owned = try system.memberships(of: owner.id).count { $0.role == .owner }
        guard owned < SystemTransaction.maximumOwnedOrganizations else { throw TooManyOrganizations() }
        let organization = try createOrganization(slug: slug, name: name)
        try setRole(.owner, of: owner)
        return organization
    }
}
