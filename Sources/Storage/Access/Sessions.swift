public import FoundationEssentials
import Postgres

/// An open session of a signed-in user.
public struct Session: Hashable, Sendable {
    /// A session ends this number of seconds after the sign-in: 14 days.
    public static let lifetime = 14 * 86_400
    /// A session ends this number of seconds after its last use: 7 days.
    public static let maximumIdleTime = 7 * 86_400
    /// For this number of seconds after a sign-in or a confirmation, the user can change who has access: 10 minutes.
    public static let confirmationLifetime = 600

    /// The session's ID.
    public let id: ID<Session>
    /// The user.
    public let user: User
    /// Whether the user has a password.
    public let hasPassword: Bool
    /// Whether the user has a second factor.
    public let hasSecondFactor: Bool
    /// Whether the user has a passkey, which is a second factor.
    public let hasPasskey: Bool
    /// The organization whose provider opened the session, or `nil` if the user did so with their own account. A
    /// session of a provider has no other membership, and cannot change the account.
    public let provider: ID<Organization>?
    /// The user's memberships, sorted by the organization's slug.
    public let memberships: [Membership]
    /// The time until which the user counts as confirmed.
    public let confirmedUntil: Date
    /// The number of seconds until ``confirmedUntil``, counted from when the session was read. Negative if it is over.
    public let confirmedSecondsLeft: Double
    /// The number of seconds until the session expires, counted from when it was read.
    public let secondsLeft: Double

    /// The condition for a session that has not ended.
    fileprivate static let isOpen: SQL = """
        sessions.expires_at > clock_timestamp()
        and sessions.last_used_at > clock_timestamp() - make_interval(secs => \(maximumIdleTime)::integer)
        """

    /// Reads a session and its user, with a row for each membership. A user without memberships has one row.
    fileprivate static func statement(_ secret: Secret) -> SQL {
        """
        select sessions.id as session_id, users.id as user_id, users.email, users.name as user_name,
          users.password_hash is not null as has_password, \(fragment: SystemTransaction.hasSecondFactor) as has_second_factor,
          exists (select from passkeys where passkeys.user_id = users.id) as has_passkey,
          sessions.organization_id as provider_id, memberships.role, memberships.labels as role_labels,
          \(fragment: Organization.columns),
          sessions.confirmed_at + make_interval(secs => \(confirmationLifetime)::integer) as confirmed_until,
          extract(epoch from sessions.confirmed_at + make_interval(secs => \(confirmationLifetime)::integer)
            - clock_timestamp())::double precision as confirmed_seconds_left,
          extract(epoch from sessions.expires_at - clock_timestamp())::double precision as seconds_left,
          sessions.last_used_at < now() - interval '1 minute' as use_is_to_record
        from sessions
        join users on users.id = sessions.user_id
        left join memberships on memberships.user_id = users.id
          and (sessions.organization_id is null or memberships.organization_id = sessions.organization_id)
        left join organizations on organizations.id = memberships.organization_id
        where sessions.secret_sha256 = \(secret.sha256) and \(fragment: isOpen)
        order by organizations.slug
        """
    }

    /// Returns `nil` if there are no rows.
    fileprivate init?(rows: [Row]) throws {
        guard let first = rows.first else { return nil }
        id = try first.id("session_id")
        user = try User(row: first)
        hasPassword = try first.decode("has_password", as: Bool.self)
        hasSecondFactor = try first.decode("has_second_factor", as: Bool.self)
        hasPasskey = try first.decode("has_passkey", as: Bool.self)
        provider = try first.optionalID("provider_id")
        memberships = try rows.compactMap(Membership.init(row:))
        confirmedUntil = try first.decode("confirmed_until", as: Date.self)
        confirmedSecondsLeft = try first.decode("confirmed_seconds_left", as: Double.self)
        secondsLeft = try first.decode("seconds_left", as: Double.self)
    }
}

/// An open session of a user, as its list shows it.
public struct OpenSession: Hashable, Sendable {
    /// The session's ID.
    public let id: ID<Session>
    /// The time of the sign-in.
    public let createdAt: Date
    /// The time of the last use, to the minute.
    public let lastUsedAt: Date
    /// The time when it ends, unless it is used again before, but at most ``Session/lifetime`` after the sign-in.
    public let expiresAt: Date
    /// The browser and the system. Empty if unknown.
    public let client: String
    /// The IP address of the sign-in.
    public let address: String
}

/// The origin of a sign-in, for the list of sessions.
public struct SignInOrigin: Hashable, Sendable {
    /// The browser and the system, at most 200 characters.
    public let client: String
    /// The IP address, at most 64 characters.
    public let address: String

    /// Creates an origin. Shortens longer texts.
    public init(client: String = "", address: String = "") {
        self.client = String(client.unicodeScalars.prefix(200))
        self.address = String(address.unicodeScalars.prefix(64))
    }
}

/// What the code of a one-time link is for.
public enum SignInPurpose: String, Sendable {
    /// To sign in, or to confirm a session.
    case signIn
    /// To choose a new password.
    case passwordReset
}

extension Store {
    /// The session with this secret, or `nil` if it does not exist or has ended. Records its use, once a minute at most.
    public func session(_ secret: Secret) async throws -> Session? {
        let rows = try await pool.read(Session.statement(secret))
        guard let session = try Session(rows: rows) else { return nil }
        if try rows.first?.decode("use_is_to_record", as: Bool.self) ?? false {
            // If the database refuses to write, the session can still read.
            try? await write { try $0.recordUse(of: session.id) }
        }
        return session
    }
}

extension SystemTransaction {
    /// Creates a code for a single sign-in. It is valid for `seconds`.
    public func createSignInCode(
        for user: User, seconds: Int, purpose: SignInPurpose = .signIn
    ) throws -> Secret {
        let code = Secret(prefix: "")
        try database.execute("delete from sign_in_codes where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into sign_in_codes (code_sha256, user_id, purpose, expires_at)
            values (
              \(code.sha256), \(user.id.uuid), \(purpose.rawValue),
              clock_timestamp() + make_interval(secs => \(seconds)::integer))
            """)
        return code
    }

    /// The user of a sign-in code, or `nil` if the code is unknown, used, expired or for another purpose. The code stays
    /// valid.
    public func user(ofSignInCode code: Secret, for purpose: SignInPurpose = .signIn) throws -> User? {
        try database.first(
            """
            select users.id as user_id, users.email, users.name as user_name from sign_in_codes
            join users on users.id = sign_in_codes.user_id
            where sign_in_codes.code_sha256 = \(code.sha256) and sign_in_codes.purpose = \(purpose.rawValue)
              and sign_in_codes.expires_at > clock_timestamp()
            """
        ).map(User.init(row:))
    }

    /// Uses a sign-in code. Returns its user, or `nil` if the code is unknown, used, expired or for another purpose.
    ///
    /// Only the owner of the address gets the link, by mail or from the operator. So the address counts as verified. If it
    /// was not verified before, another person may have set up the account. So its password, second factor, identities
    /// of other addresses and sessions end.
    ///
    /// - Parameter session: The session in which the code is used. It does not end.
    public func useSignInCode(
        _ code: Secret, for purpose: SignInPurpose = .signIn, in session: ID<Session>? = nil
    ) throws -> ID<User>? {
        let used = try database.first(
            """
            delete from sign_in_codes where code_sha256 = \(code.sha256) and purpose = \(purpose.rawValue)
            returning user_id, expires_at > clock_timestamp() as is_fresh
            """)
        guard let used, try used.decode("is_fresh", as: Bool.self) else { return nil }
        let user: ID<User> = try used.id("user_id")
        try verifyAddress(of: user, in: session)
        return user
    }

    /// Opens a session of a user.
    ///
    /// - Parameters:
    ///   - provider: The organization whose provider identified the user, or `nil`.
    ///   - age: The number of seconds since the user last proved who they are. The session counts as confirmed for the rest
    ///     of ``Session/confirmationLifetime``.
    public func openSession(
        of user: ID<User>, from origin: SignInOrigin = SignInOrigin(), seconds: Int = Session.lifetime,
        by provider: ID<Organization>? = nil, provenAgo age: Double = 0
    ) throws -> (secret: Secret, session: Session) {
        let secret = Secret(prefix: "")
        let age = min(age, Double(Session.confirmationLifetime))
        try database.execute("delete from sessions where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into sessions (secret_sha256, user_id, expires_at, client, address, organization_id, confirmed_at)
            values (
              \(secret.sha256), \(user.uuid), clock_timestamp() + make_interval(secs => \(seconds)::integer),
              \(origin.client), \(origin.address), \(provider?.uuid),
              clock_timestamp() - make_interval(secs => \(age)::double precision))
            """)
        guard let session = try session(secret) else { throw CorruptRow(column: "expires_at") }
        return (secret, session)
    }

    /// The session with this secret, or `nil` if it does not exist or has ended.
    public func session(_ secret: Secret) throws -> Session? {
        try Session(rows: try database.query(Session.statement(secret)))
    }

    /// The open sessions of a user, the last used first. At most 200.
    public func sessions(of user: ID<User>) throws -> [OpenSession] {
        try database.query(
            """
            select id, created_at, last_used_at, client, address,
              least(expires_at, last_used_at + make_interval(secs => \(Session.maximumIdleTime)::integer)) as ends_at
            from sessions
            where user_id = \(user.uuid) and \(fragment: Session.isOpen)
            order by last_used_at desc, created_at desc, id
            limit 200
            """
        ).map { row in
            OpenSession(
                id: try row.id("id"), createdAt: try row.decode("created_at", as: Date.self),
                lastUsedAt: try row.decode("last_used_at", as: Date.self),
                expiresAt: try row.decode("ends_at", as: Date.self),
                client: try row.decode("client", as: String.self), address: try row.decode("address", as: String.self))
        }
    }

    /// Gives a session a new secret. Returns `nil` if it has ended.
    ///
    /// - Parameter isConfirmed: Whether the user has just shown a password or a code.
    public func renewSession(_ id: ID<Session>, isConfirmed: Bool) throws -> (secret: Secret, session: Session)? {
        let secret = Secret(prefix: "")
        let renewed = try database.execute(
            """
            update sessions
            set secret_sha256 = \(secret.sha256),
              confirmed_at = case when \(isConfirmed) then clock_timestamp() else confirmed_at end
            where id = \(id.uuid) and \(fragment: Session.isOpen)
            """)
        guard renewed == 1 else { return nil }
        try noteLostRights()
        return try session(secret).map { (secret, $0) }
    }

    /// Ends a session.
    public func closeSession(_ secret: Secret) throws {
        try database.execute("delete from sessions where secret_sha256 = \(secret.sha256)")
        try noteLostRights()
    }

    /// Ends a session of a user. Throws `notFound`.
    public func closeSession(_ id: ID<Session>, of user: ID<User>) throws {
        let ended = try database.execute("delete from sessions where id = \(id.uuid) and user_id = \(user.uuid)")
        guard ended == 1 else { throw StorageError.notFound(kind: "session", key: id.description) }
        try noteLostRights()
    }

    /// Ends all sessions of a user except one, and the codes that would open others.
    public func closeSessions(of user: ID<User>, except kept: ID<Session>? = nil) throws {
        try database.execute("delete from sign_in_codes where user_id = \(user.uuid)")
        try database.execute(
            "delete from sessions where user_id = \(user.uuid) and id is distinct from \(kept?.uuid)")
        try noteLostRights()
    }

    /// Ends the sessions that an organization's provider opened.
    func closeSessions(ofProviderOf organization: ID<Organization>) throws {
        try database.execute("delete from sessions where organization_id = \(organization.uuid)")
        try noteLostRights()
    }

    /// Ends the sessions of a user that providers opened.
    func closeProviderSessions(of user: ID<User>) throws {
        try database.execute("delete from sessions where user_id = \(user.uuid) and organization_id is not null")
        try noteLostRights()
    }

    /// Records that a session is used now. Many requests can call this at the same time, so it waits for none of them.
    fileprivate func recordUse(of id: ID<Session>) throws {
        try database.execute(
            """
            update sessions set last_used_at = clock_timestamp()
            where id = (select id from sessions where id = \(id.uuid) for no key update skip locked)
            """)
    }
}
