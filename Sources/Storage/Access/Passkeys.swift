public import FoundationEssentials
import Postgres

/// A passkey of a user, as its list shows it.
public struct Passkey: Hashable, Sendable {
    /// The maximum number of passkeys of a user.
    public static let maximum = 20
    /// A challenge works for this number of seconds: five minutes.
    public static let challengeLifetime = 300

    /// The ID of this entry. It is not the authenticator's ID of the passkey.
    public let id: ID<Passkey>
    /// The user's name for it.
    public let name: String
    /// The time when it was added.
    public let createdAt: Date
    /// The time of its last use, or `nil` if it was not used.
    public let lastUsedAt: Date?

    fileprivate static let columns: SQL = "id, name, created_at, last_used_at"

    fileprivate init(row: Row) throws {
        id = try row.id("id")
        name = try row.decode("name", as: String.self)
        createdAt = try row.decode("created_at", as: Date.self)
        lastUsedAt = try row.decode("last_used_at", as: Date?.self)
    }
}

/// The public half of a passkey.
public struct PasskeyKey: Hashable, Sendable {
    /// The ID that the authenticator chose.
    public let credentialID: [UInt8]
    /// The COSE algorithm.
    public let algorithm: Int
    /// The public key.
    public let publicKey: [UInt8]
    /// The authenticator's counter after the last use.
    public let counter: Int64

    /// Creates a key.
    public init(credentialID: [UInt8], algorithm: Int, publicKey: [UInt8], counter: Int64) {
        self.credentialID = credentialID
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.counter = counter
    }
}

extension SystemTransaction {
    /// The condition that a user has a second factor, in statements that read `users`.
    static let hasSecondFactor: SQL = """
        (users.totp_secret is not null or exists (select from passkeys where passkeys.user_id = users.id))
        """

    /// Makes a challenge for an authenticator. It works once, for ``Passkey/challengeLifetime`` seconds.
    ///
    /// - Parameter user: The user who adds a passkey, or `nil` to use one.
    public func createPasskeyChallenge(for user: ID<User>?) throws -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let challenge = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try database.execute("delete from passkey_challenges where expires_at < clock_timestamp()")
        try database.execute(
            """
            insert into passkey_challenges (challenge_sha256, user_id, expires_at)
            values (
              \(digest(challenge)), \(user?.uuid),
              clock_timestamp() + make_interval(secs => \(Passkey.challengeLifetime)::integer))
            """)
        return challenge
    }

    /// Uses a challenge. Returns false if it is unknown, used, expired or for another user.
    public func usePasskeyChallenge(_ challenge: [UInt8], of user: ID<User>?) throws -> Bool {
        let used = try database.execute(
            """
            delete from passkey_challenges
            where challenge_sha256 = \(digest(challenge)) and user_id is not distinct from \(user?.uuid)::uuid
              and expires_at > clock_timestamp()
            """)
        return used == 1
    }

    /// The passkeys of a user, oldest first.
    public func passkeys(of user: ID<User>) throws -> [Passkey] {
        try database.query(
            """
            select \(fragment: Passkey.columns) from passkeys where user_id = \(user.uuid) order by created_at, id
            """
        ).map(Passkey.init(row:))
    }

    /// The authenticators' IDs of a user's passkeys.
    public func passkeyCredentialIDs(of user: ID<User>) throws -> [[UInt8]] {
        try database.query("select credential_id from passkeys where user_id = \(user.uuid) order by created_at, id")
            .map { try $0.decode("credential_id", as: [UInt8].self) }
    }

    /// Adds a passkey. Throws `exists` if it was added before, by any user, and `tooManyPasskeys`.
    ///
    /// - Returns: The passkey. If it is the user's first second factor, also recovery codes.
    public func addPasskey(_ key: PasskeyKey, name: String, of user: ID<User>) throws -> (Passkey, [RecoveryCode]?) {
        _ = try database.first("select id from users where id = \(user.uuid) for no key update")
        let isFirst = try secondFactor(of: user) == nil
        guard try passkeys(of: user).count < Passkey.maximum else { throw StorageError.tooManyPasskeys }
        let row = try database.only(
            """
            insert into passkeys (id, user_id, credential_id, name, algorithm, public_key, counter)
            values (
              \(UUID()), \(user.uuid), \(key.credentialID), \(name), \(key.algorithm), \(key.publicKey), \(key.counter))
            returning \(fragment: Passkey.columns)
            """)
        try noteLostRights()
        return (try Passkey(row: row), isFirst ? try replaceRecoveryCodes(of: user) : nil)
    }

    /// The key of a passkey and its user. Its row is locked until the transaction ends. `nil` if it is unknown.
    public func lockedPasskey(_ credentialID: [UInt8]) throws -> (key: PasskeyKey, user: User)? {
        try database.first(
            """
            select passkeys.credential_id, passkeys.algorithm, passkeys.public_key, passkeys.counter,
              users.id as user_id, users.email, users.name as user_name
            from passkeys
            join users on users.id = passkeys.user_id
            where passkeys.credential_id = \(credentialID)
            for update of passkeys
            """
        ).map { row in
            let key = PasskeyKey(
                credentialID: try row.decode("credential_id", as: [UInt8].self),
                algorithm: try row.decode("algorithm", as: Int.self),
                publicKey: try row.decode("public_key", as: [UInt8].self),
                counter: try row.decode("counter", as: Int64.self))
            return (key, try User(row: row))
        }
    }

    /// Records the use of a passkey.
    public func notePasskeyUse(_ credentialID: [UInt8], counter: Int64) throws {
        try database.execute(
            """
            update passkeys set counter = \(counter), last_used_at = clock_timestamp()
            where credential_id = \(credentialID)
            """)
    }

    /// Removes a passkey of a user. Without another second factor, the recovery codes end. Throws `notFound`.
    public func removePasskey(_ id: ID<Passkey>, of user: ID<User>) throws {
        let removed = try database.execute("delete from passkeys where id = \(id.uuid) and user_id = \(user.uuid)")
        guard removed == 1 else { throw StorageError.notFound(kind: "passkey", key: id.description) }
        try dropUnneededRecoveryCodes(of: user)
        try noteLostRights()
    }
}
