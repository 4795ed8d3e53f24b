import FoundationEssentials
import Postgres
import StrictJSON

/// An API token, without its secret.
public struct Credential: Hashable, Sendable {
    /// The token's ID.
    public let id: ID<Credential>
    /// The organization that the token acts for.
    public let organization: Organization
    /// The name it was given.
    public let name: String
    /// The token's role.
    public let role: Role
}

/// An open session of a signed-in user.
public struct Session: Hashable, Sendable {
    /// The user.
    public let user: User
    /// The organizations of the user, by slug.
    public let memberships: [Membership]
}

extension Store {
    /// The token with this secret; `nil` if there is none, or it has expired or been revoked.
    public func credential(_ secret: Secret) async throws -> Credential? {
        // Every call with a token starts with this look-up.
        let row = try await pool.read(
            """
            select credentials.id, credentials.name, credentials.role,
              organizations.id as organization_id, organizations.slug, organizations.name as organization_name
            from credentials
            join organizations on organizations.id = credentials.organization_id
            where credentials.secret_sha256 = \(secret.sha256) and credentials.revoked_at is null
              and (credentials.expires_at is null or credentials.expires_at > clock_timestamp())
            """
        ).first
        guard let row else { return nil }
        return Credential(
            id: try row.id("id"),
            organization: try Organization(row: row),
            name: try row.decode("name", as: String.self),
            role: try row.value("role", Role.init(rawValue:)))
    }
}

extension SystemTransaction {
    /// Creates a code that signs a user in once, within `seconds` from now.
    public func createSignInCode(for user: User, seconds: Int) throws -> Secret {
        let code = Secret(prefix: "")
        try database.execute("delete from sign_in_codes where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into sign_in_codes (code_sha256, user_id, expires_at)
            values (
              \(code.sha256), \(user.id.uuid), clock_timestamp() + make_interval(secs => \(seconds)::integer))
            """)
        return code
    }

    /// Uses a sign-in code and opens a session for `seconds`; `nil` if the code is unknown, used or expired.
    public func openSession(code: Secret, seconds: Int) throws -> (secret: Secret, session: Session)? {
        let used = try database.first(
            """
            delete from sign_in_codes where code_sha256 = \(code.sha256)
            returning user_id, expires_at > clock_timestamp() as is_fresh
            """)
        guard let used, try used.decode("is_fresh", as: Bool.self) else { return nil }
        let secret = Secret(prefix: "")
        try database.execute("delete from sessions where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into sessions (secret_sha256, user_id, expires_at)
            values (
              \(secret.sha256), \(try used.decode("user_id", as: UUID.self)),
              clock_timestamp() + make_interval(secs => \(seconds)::integer))
            """)
        return try session(secret).map { (secret, $0) }
    }

    /// The session with this secret; `nil` if there is none or it has expired.
    public func session(_ secret: Secret) throws -> Session? {
        let row = try database.first(
            """
            select users.id as user_id, users.email, users.name as user_name
            from sessions
            join users on users.id = sessions.user_id
            where sessions.secret_sha256 = \(secret.sha256) and sessions.expires_at > clock_timestamp()
            """)
        guard let user = try row.map(User.init(row:)) else { return nil }
        return Session(user: user, memberships: try memberships(of: user.id))
    }

    /// Ends a session.
    public func closeSession(_ secret: Secret) throws {
        try database.execute("delete from sessions where secret_sha256 = \(secret.sha256)")
    }
}

extension TenantTransaction {
    /// Creates an API token for the organization. The secret is returned only here.
    ///
    /// - Parameter seconds: how long the token is valid; `nil` for no expiry.
    public func createToken(name: String, role: Role, seconds: Int? = nil) throws -> Secret {
        let secret = Secret(prefix: Secret.tokenPrefix)
        try database.execute(
            """
            insert into credentials (id, organization_id, secret_sha256, name, role, expires_at)
            values (
              \(UUID()), \(organization.uuid), \(secret.sha256), \(name), \(role.rawValue),
              clock_timestamp() + make_interval(secs => \(seconds)::integer))
            """)
        try audit(.tokenCreated, name, ["role": .string(role.rawValue)])
        return secret
    }
}
