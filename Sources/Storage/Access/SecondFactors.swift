public import FoundationEssentials
import Postgres
import StrictJSON

/// A user's second factor: an authenticator app, passkeys, or both.
public struct SecondFactor: Hashable, Sendable {
    /// The secret of an authenticator app (TOTP).
    public struct App: Hashable, Sendable {
        /// The secret, 20 bytes.
        public let secret: [UInt8]
        /// The step of the last used code.
        public let lastStep: Int64
        /// The time when it was set up.
        public let addedAt: Date
    }

    /// The authenticator app, or `nil` if the user has none.
    public let app: App?
    /// The number of passkeys.
    public let passkeys: Int
    /// The number of recovery codes that were not used.
    public let recoveryCodes: Int
}

/// A code for a user who has lost the authenticator app. It works once. It is shown once, and stored as its SHA-256.
public struct RecoveryCode: Sendable {
    /// The number of codes that a user gets.
    public static let count = 10

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    /// The text: six groups of four letters and digits, 120 random bits.
    public let text: String

    init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<6).map { _ in
            String((0..<4).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)] })
        }.joined(separator: "-")
    }

    var sha256: [UInt8] { Self.sha256(of: text) }

    /// The stored form of a typed code. Case, hyphens and spaces do not count.
    static func sha256(of text: String) -> [UInt8] {
        digest(Array(text.lowercased().filter { $0 != "-" && $0 != " " }.utf8))
    }
}

extension SystemTransaction {
    /// An offered secret can be confirmed for this number of seconds: an hour.
    public static let totpOfferLifetime = 3_600

    /// The second factor of a user, or `nil` if the user has none.
    public func secondFactor(of user: ID<User>) throws -> SecondFactor? {
        try database.first(
            """
            select totp_secret, totp_last_step, totp_added_at,
              (select count(*) from passkeys where passkeys.user_id = users.id) as passkeys,
              (select count(*) from recovery_codes where recovery_codes.user_id = users.id) as recovery_codes
            from users
            where id = \(user.uuid) and \(fragment: Self.hasSecondFactor)
            """
        ).map { row in
            let app = try row.decode("totp_secret", as: [UInt8]?.self).map { secret in
                SecondFactor.App(
                    secret: secret, lastStep: try row.decode("totp_last_step", as: Int64.self),
                    addedAt: try row.decode("totp_added_at", as: Date.self))
            }
            return SecondFactor(
                app: app, passkeys: try row.decode("passkeys", as: Int.self),
                recoveryCodes: try row.decode("recovery_codes", as: Int.self))
        }
    }

    /// Stores a secret that the user has not confirmed. It replaces an earlier one. The second factor stays as it is.
    public func offerTOTPSecret(_ secret: [UInt8], to user: ID<User>) throws {
        try database.execute(
            "update users set totp_offer = \(secret), totp_offered_at = clock_timestamp() where id = \(user.uuid)")
    }

    /// The secret that was offered last, or `nil` if it was longer ago than ``totpOfferLifetime``.
    public func offeredTOTPSecret(to user: ID<User>) throws -> [UInt8]? {
        try database.first(
            """
            select totp_offer from users
            where id = \(user.uuid)
              and totp_offered_at > clock_timestamp() - make_interval(secs => \(Self.totpOfferLifetime)::integer)
            """
        ).map { try $0.decode("totp_offer", as: [UInt8].self) }
    }

    /// Makes a secret the user's second factor. It replaces an earlier one and its recovery codes.
    ///
    /// - Parameter step: The step of the code that confirmed the secret.
    /// - Returns: New recovery codes.
    public func setSecondFactor(_ secret: [UInt8], lastStep step: Int64, of user: ID<User>) throws -> [RecoveryCode] {
        try database.execute(
            """
            update users
            set totp_secret = \(secret), totp_added_at = clock_timestamp(), totp_last_step = \(step),
              totp_offer = null, totp_offered_at = null
            where id = \(user.uuid)
            """)
        try noteLostRights()
        return try replaceRecoveryCodes(of: user)
    }

    /// Removes a user's second factor, with all passkeys and recovery codes. Returns false if the user has none.
    public func removeSecondFactor(of user: ID<User>) throws -> Bool {
        let passkeys = try database.execute("delete from passkeys where user_id = \(user.uuid)")
        return try removeAuthenticatorApp(of: user) || passkeys > 0
    }

    /// Removes a user's authenticator app. Without another second factor, the recovery codes end. Returns false if the
    /// user has none.
    public func removeAuthenticatorApp(of user: ID<User>) throws -> Bool {
        let removed = try database.execute(
            """
            update users set totp_secret = null, totp_added_at = null, totp_offer = null, totp_offered_at = null
            where id = \(user.uuid) and totp_secret is not null
            """)
        try dropUnneededRecoveryCodes(of: user)
        try noteLostRights()
        return removed == 1
    }

    /// Deletes the recovery codes of a user without a second factor.
    func dropUnneededRecoveryCodes(of user: ID<User>) throws {
        guard try secondFactor(of: user) == nil else { return }
        try database.execute("delete from recovery_codes where user_id = \(user.uuid)")
    }

    /// Gives a user new recovery codes. The old ones end.
    public func replaceRecoveryCodes(of user: ID<User>) throws -> [RecoveryCode] {
        // Without the lock, two replacements at the same time would leave 20 codes.
        _ = try database.first("select id from users where id = \(user.uuid) for no key update")
        try database.execute("delete from recovery_codes where user_id = \(user.uuid)")
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode() }
        for code in codes {
            try database.execute(
                "insert into recovery_codes (code_sha256, user_id) values (\(code.sha256), \(user.uuid))")
        }
        return codes
    }

    /// Uses the code of a step. Returns false if this step or a later one was used already, also at the same time.
    public func useTOTPStep(_ step: Int64, of user: ID<User>) throws -> Bool {
        let used = try database.execute(
            """
            update users set totp_last_step = \(step)
            where id = \(user.uuid) and totp_secret is not null and totp_last_step < \(step)
            """)
        return used == 1
    }

    /// Uses a recovery code. Returns false if it is not one of the user's.
    public func useRecoveryCode(_ text: String, of user: ID<User>) throws -> Bool {
        let used = try database.execute(
            """
            delete from recovery_codes where code_sha256 = \(RecoveryCode.sha256(of: text)) and user_id = \(user.uuid)
            """)
        return used == 1
    }

    /// The slugs of a user's organizations that require a second factor.
    public func organizationsRequiringSecondFactor(of user: ID<User>) throws -> [String] {
        try memberships(of: user).map(\.organization).filter(\.requiresSecondFactor).map(\.slug)
    }

    /// Queues a mail about a change of the ways in which the user signs in.
    public func mailSignInChange(_ change: SignInChange, to user: User) throws {
        try queueMail("signInChanged", to: user.email, details: ["change": .string(change.rawValue)])
    }
}

/// A change of the ways in which a user signs in.
public enum SignInChange: String, Sendable {
    /// An authenticator app was set up, also instead of another one.
    case added
    /// The second factor was removed.
    case removed
    /// A recovery code was used.
    case recoveryCodeUsed
    /// A passkey was added.
    case passkeyAdded
    /// A passkey was removed.
    case passkeyRemoved
    /// An identity at a provider was connected.
    case identityConnected
    /// An identity at a provider was disconnected.
    case identityDisconnected
}
