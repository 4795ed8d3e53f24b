import FoundationEssentials
import Postgres
import StrictJSON

/// An API token, without its secret.
public struct Credential: Hashable, Sendable {
    /// The token's ID.
    public let id: ID<Credential>
    /// The organization that the token acts for.
    public let organization: Organization
    /// The token's name.
    public let name: String
    /// The token's role.
    public let role: Role
    /// The number of seconds until the token expires, counted from when it was read. `nil` if it does not expire.
    public let secondsLeft: Double?
}

/// An open session of a signed-in user.
public struct Session: Hashable, Sendable {
    /// The user.
    public let user: User
    /// The user's memberships, sorted by the organization's slug.
    public let memberships: [Membership]
    /// The number of seconds until the session expires, counted from when it was read.
    public let secondsLeft: Double

    /// Reads a session and its user, with a row for each membership. A user without memberships has one row.
    fileprivate static func statement(_ secret: Secret) -> SQL {
        """
        select users.id as user_id, users.email, users.name as user_name, memberships.role,
          organizations.id as organization_id, organizations.slug, organizations.name as organization_name,
          extract(epoch from sessions.expires_at - clock_timestamp())::double precision as seconds_left
        from sessions
        join users on users.id = sessions.user_id
        left join memberships on memberships.user_id = users.id
        left join organizations on organizations.id = memberships.organization_id
        where sessions.secret_sha256 = \(secret.sha256) and sessions.expires_at > clock_timestamp()
        order by organizations.slug
        """
    }

    /// Returns `nil` if there are no rows.
    fileprivate init?(rows: [Row]) throws {
        guard let first = rows.first else { return nil }
        user = try User(row: first)
        memberships = try rows.compactMap(Membership.init(row:))
        secondsLeft = try first.decode("seconds_left", as: Double.self)
    }
}

extension Store {
    /// The token with this secret, or `nil` if it does not exist, has expired or was revoked. Records the use of the
    /// token, once a minute at most.
    public func credential(_ secret: Secret) async throws -> Credential? {
        let row = try await pool.read(
            """
            select credentials.id, credentials.name, credentials.role,
              organizations.id as organization_id, organizations.slug, organizations.name as organization_name,
              extract(epoch from credentials.expires_at - clock_timestamp())::double precision as seconds_left,
              coalesce(credentials.last_used_at < now() - interval '1 minute', true) as use_is_to_record
            from credentials
            join organizations on organizations.id = credentials.organization_id
            where credentials.secret_sha256 = \(secret.sha256) and credentials.revoked_at is null
              and (credentials.expires_at is null or credentials.expires_at > clock_timestamp())
            """
        ).first
        guard let row else { return nil }
        let id: ID<Credential> = try row.id("id")
        if try row.decode("use_is_to_record", as: Bool.self) {
            // If the database refuses to write, the token can still read.
            try? await write { try $0.recordUse(of: id) }
        }
        return Credential(
            id: id,
            organization: try Organization(row: row),
            name: try row.decode("name", as: String.self),
            role: try row.value("role", Role.init(rawValue:)),
            secondsLeft: try row.decode("seconds_left", as: Double?.self))
    }

    /// The session with this secret, or `nil` if it does not exist or has expired.
    public func session(_ secret: Secret) async throws -> Session? {
        try Session(rows: try await pool.read(Session.statement(secret)))
    }
}

extension SystemTransaction {
    /// Creates a code for a single sign-in. It is valid for `seconds`.
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

    /// Uses a sign-in code and opens a session for `seconds`. Returns `nil` if the code is unknown, used or expired.
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

    /// The session with this secret, or `nil` if it does not exist or has expired.
    public func session(_ secret: Secret) throws -> Session? {
        try Session(rows: try database.query(Session.statement(secret)))
    }

    /// Ends a session.
    public func closeSession(_ secret: Secret) throws {
        try database.execute("delete from sessions where secret_sha256 = \(secret.sha256)")
        try noteLostRights()
    }

    /// Records that a token is used now. Many requests can call this at the same time, so it waits for none of them.
    fileprivate func recordUse(of id: ID<Credential>) throws {
        try database.execute(
            """
            update credentials set last_used_at = date_trunc('minute', clock_timestamp())
            where id = (select id from credentials where id = \(id.uuid) for no key update skip locked)
            """)
    }

    /// When this transaction commits, tells all processes to clear their caches of callers.
    func noteLostRights() throws { try database.notify(Store.accessChannel) }
}
