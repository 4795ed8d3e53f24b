import FoundationEssentials
import Postgres

/// A user, with what is needed to check a password.
public struct PasswordHolder: Sendable {
    /// The user.
    public let user: User
    /// The hash of the password as a PHC string, or `nil` if the user has none.
    public let hash: String?
}

/// The error if an address has too many failed sign-ins.
public struct SignInBlocked: Error, Hashable, Sendable {
    /// The number of seconds until the next attempt is possible.
    public let seconds: Int
}

/// A counted attempt to sign in.
public struct SignInAttempt: Sendable {
    let email: String
    /// The number of failures with the address, including this attempt.
    let failures: Int
}

extension SystemTransaction {
    /// The number of failed sign-ins with an address that have no consequence.
    public static let freeSignInFailures = 5
    /// The longest wait after a failed sign-in, in minutes.
    public static let maximumSignInWait = 15

    /// The user with this address, ignoring case, or `nil` if no user has it.
    public func passwordHolder(email: String) throws -> PasswordHolder? {
        try database.first(
            """
            select id as user_id, email, name as user_name, password_hash from users where lower(email) = lower(\(email))
            """
        ).map { PasswordHolder(user: try User(row: $0), hash: try $0.decode("password_hash", as: String?.self)) }
    }

    /// The hash of a user's password, or `nil` if the user has no password.
    public func passwordHash(of user: ID<User>) throws -> String? {
        try database.first("select password_hash from users where id = \(user.uuid)")?
            .decode("password_hash", as: String?.self)
    }

    /// Stores the hash of a user's password.
    public func setPasswordHash(_ hash: String, of user: ID<User>) throws {
        try database.execute("update users set password_hash = \(hash) where id = \(user.uuid)")
    }

    /// Counts an attempt to sign in with an address, before the password is checked. So attempts at the same time count
    /// too. After ``freeSignInFailures``, each failure doubles the wait, from 1 minute to ``maximumSignInWait``. A day
    /// after the last failure, they are forgotten.
    ///
    /// - Throws: ``SignInBlocked`` during a wait, also for the right password.
    @discardableResult
    public func countSignIn(email: String) throws -> SignInAttempt {
        try database.execute("delete from sign_in_failures where last_at < now() - interval '1 day'")
        let counted = try database.first(
            """
            insert into sign_in_failures (address_sha256, failures, last_at)
            values (\(fragment: addressDigest(email)), 1, clock_timestamp())
            on conflict on constraint sign_in_failures_key do update
            set failures = sign_in_failures.failures + 1, last_at = excluded.last_at,
              blocked_until = case when sign_in_failures.failures >= \(Self.freeSignInFailures) then
                excluded.last_at + make_interval(mins => least(
                  \(Self.maximumSignInWait)::integer,
                  power(2, least(sign_in_failures.failures - \(Self.freeSignInFailures), 10))::integer))
              end
            where coalesce(sign_in_failures.blocked_until <= excluded.last_at, true)
            returning failures
            """)
        if let counted { return SignInAttempt(email: email, failures: try counted.decode("failures", as: Int.self)) }
        let left = try database.only(
            """
            select ceil(extract(epoch from blocked_until - clock_timestamp()))::bigint as seconds
            from sign_in_failures where address_sha256 = \(fragment: addressDigest(email))
            """)
        throw SignInBlocked(seconds: max(1, try left.decode("seconds", as: Int?.self) ?? 1))
    }

    /// Uncounts an attempt that had the right password but no second factor. If the address was tried again meanwhile, it
    /// does nothing.
    public func takeBack(_ attempt: SignInAttempt) throws {
        try database.execute(
            """
            update sign_in_failures set failures = failures - 1, blocked_until = null
            where address_sha256 = \(fragment: addressDigest(attempt.email)) and failures = \(attempt.failures)
            """)
    }

    /// Forgets the failed sign-ins with an address.
    public func forgetSignInFailures(email: String) throws {
        try database.execute(
            "delete from sign_in_failures where address_sha256 = \(fragment: addressDigest(email))")
    }

    /// The key of an address's failures. PostgreSQL makes it lower case, as it does to find the user. Otherwise, several
    /// spellings would find one user and be counted apart.
    private func addressDigest(_ email: String) -> SQL { "sha256(convert_to(lower(\(email)), 'UTF8'))" }

    /// Records that an address belongs to its user. If it was not verified before, the password, the second factor, the
    /// connected identities and the sessions end, because another person may have set them up.
    ///
    /// - Parameter session: A session that does not end, or `nil` if all end.
    func verifyAddress(of user: ID<User>, in session: ID<Session>?) throws {
        let isNew = try database.execute(
            """
            update users set verified_at = clock_timestamp(), password_hash = null
            where id = \(user.uuid) and verified_at is null
            """)
        guard isNew == 1 else { return }
        _ = try removeSecondFactor(of: user)
        try database.execute("delete from identities where user_id = \(user.uuid)")
        try closeSessions(of: user, except: session)
    }
}
