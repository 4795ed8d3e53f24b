import FoundationEssentials
import Postgres

/// A user, with what is needed to check a password.
public struct PasswordHolder: Sendable {
    /// The user.
    public let user: User
    /// The hash of the password as a PHC string, or `nil` if the user has none.
    public let hash: String?
}

/// What failed proofs of a person are counted for. A stranger, who knows only the address, can make sign-ins wait, but
/// neither the confirmations nor the links of the user.
public enum ProofCounter: Sendable {
    /// Sign-ins with an address, which may have no account.
    case signIn(email: String)
    /// Confirmations of a signed-in user, in all sessions together. Otherwise, each new session would allow more guesses.
    case confirmation(of: ID<User>)
    /// Second factors of a user who shows the code of a link, for all links together.
    case link(of: ID<User>)

    /// The key of the failures, a SHA-256. PostgreSQL makes an address lower case, as it does to find the user. Otherwise,
    /// several spellings would find one user and be counted apart. No address has a NUL, so the others differ from it.
    fileprivate var key: SQL {
        switch self {
        case .signIn(let email): "sha256(convert_to(lower(\(email)), 'UTF8'))"
        case .confirmation(let user): "\(digest(Array("\0confirmation \(user)".utf8)))"
        case .link(let user): "\(digest(Array("\0link \(user)".utf8)))"
        }
    }
}

/// The error after too many failed proofs.
public struct SignInBlocked: Error, Hashable, Sendable {
    /// The number of seconds until the next attempt is possible.
    public let seconds: Int
}

/// A counted attempt to prove who one is.
public struct ProofAttempt: Sendable {
    let counter: ProofCounter
    /// The number of failures, including this attempt.
    let failures: Int
}

extension SystemTransaction {
    /// The number of failed proofs that have no consequence.
    public static let freeSignInFailures = 5
    /// The longest wait after a failed proof, in minutes.
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

    /// Stores another hash of the same password. Returns false if the password was changed meanwhile.
    public func replacePasswordHash(_ old: String, by new: String, of user: ID<User>) throws -> Bool {
        let replaced = try database.execute(
            "update users set password_hash = \(new) where id = \(user.uuid) and password_hash = \(old)")
        return replaced == 1
    }

    /// Whether a user's password still has this hash. Until the transaction ends, it stays so.
    public func holdsPasswordHash(_ hash: String, of user: ID<User>) throws -> Bool {
        let held = try database.first(
            "select from users where id = \(user.uuid) and password_hash = \(hash) for share")
        return held != nil
    }

    /// Counts a proof before it is checked, so that attempts at the same time count too. After ``freeSignInFailures``,
    /// each failure doubles the wait, from 1 minute to ``maximumSignInWait``. A day after the last failure, they are
    /// forgotten.
    ///
    /// - Throws: ``SignInBlocked`` during a wait, also for the right proof.
    @discardableResult
    public func count(_ counter: ProofCounter) throws -> ProofAttempt {
        try database.execute("delete from sign_in_failures where last_at < now() - interval '1 day'")
        let counted = try database.first(
            """
            insert into sign_in_failures (address_sha256, failures, last_at)
            values (\(fragment: counter.key), 1, clock_timestamp())
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
        if let counted { return ProofAttempt(counter: counter, failures: try counted.decode("failures", as: Int.self)) }
        let left = try database.only(
            """
            select ceil(extract(epoch from blocked_until - clock_timestamp()))::bigint as seconds
            from sign_in_failures where address_sha256 = \(fragment: counter.key)
            """)
        throw SignInBlocked(seconds: max(1, try left.decode("seconds", as: Int?.self) ?? 1))
    }

    /// Uncounts an attempt that had the right password but no second factor. If there was another one meanwhile, it does
    /// nothing.
    public func takeBack(_ attempt: ProofAttempt) throws {
        try database.execute(
            """
            update sign_in_failures set failures = failures - 1, blocked_until = null
            where address_sha256 = \(fragment: attempt.counter.key) and failures = \(attempt.failures)
            """)
    }

    /// Forgets the failed proofs.
    public func forgetFailures(_ counter: ProofCounter) throws {
        try database.execute("delete from sign_in_failures where address_sha256 = \(fragment: counter.key)")
    }

    /// Records that an address belongs to its user. If it was not verified before, the password, the second factor, the
    /// identities of other addresses and the sessions end, because another person may have set them up.
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
        try removeIdentitiesOfOtherAddresses(of: user)
        try closeSessions(of: user, except: session)
    }
}
