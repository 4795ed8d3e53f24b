public import FoundationEssentials
import Postgres
import Synchronization

/// The idempotency key of a request
/// (https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07). It belongs to one caller in one
/// organization, or to one user for requests about that user's account.
///
/// While it is ``current``, the ``Store`` records the key in the transaction of the change. So the change and the key are
/// committed together or not at all, even if the process dies. If another request has already made its change with this
/// key, the transaction throws ``IdempotencyKeyTaken``.
public final class IdempotencyClaim: Sendable {
    /// The claim of the request that the current task handles, or `nil` if it has none.
    @TaskLocal public static var current: IdempotencyClaim?

    /// The time during which a key belongs to its first request, in seconds.
    public static let lifetime = 86_400
    /// The maximum time in seconds between a change and its answer. Later, the answer counts as lost.
    public static let answerTime = 60

    /// Whom a key belongs to.
    public enum Owner: Hashable, Sendable {
        /// A user or a token in an organization.
        case caller(UUID, in: ID<Organization>)
        /// A user.
        case account(ID<User>)

        /// The maximum number of keys of the organization, or of the user.
        public var maximumKeys: Int {
            switch self {
            case .caller: 10_000
            case .account: 100
            }
        }
    }

    /// Whom the key belongs to.
    public let owner: Owner
    let key: String
    let fingerprint: [UInt8]
    /// Distinguishes this request from others with the same key.
    let attempt = UUID()
    private let taken = Mutex(false)

    /// Creates a claim.
    ///
    /// - Parameters:
    ///   - owner: Whom the key belongs to.
    ///   - fingerprint: The SHA-256 of the request.
    public init(key: String, owner: Owner, fingerprint: [UInt8]) {
        self.key = key
        self.owner = owner
        self.fingerprint = fingerprint
    }

    /// True if a transaction of the request has recorded the key. It may not be committed.
    public var isTaken: Bool { taken.withLock { $0 } }

    /// The claim to record in a transaction of an organization, or `nil`.
    static func current(in organization: ID<Organization>) -> IdempotencyClaim? {
        guard let claim = current else { return nil }
        if case .caller(_, let own) = claim.owner, own != organization { return nil }
        return claim
    }

    /// The claim to record in a transaction on the installation's tables, or `nil`.
    static var ofAccount: IdempotencyClaim? {
        guard let claim = current, case .account = claim.owner else { return nil }
        return claim
    }

    /// Records the key in a transaction, before the change. It does not wait for another request with the same key,
    /// because that request may take long.
    func take(in database: Database) throws {
        let name = digest(Array("\(owner.text) \(key)".utf8))
        let lock = name.prefix(8).reduce(0 as Int64) { $0 << 8 | Int64($1) }
        let row = try database.first(
            """
            insert into \(fragment: owner.table) as keys (\(fragment: owner.columns), key, fingerprint, attempt)
            select \(fragment: owner.values), \(key)::text, \(fingerprint)::bytea, \(attempt)::uuid
            where pg_try_advisory_xact_lock(\(lock)::bigint)
            on conflict (\(fragment: owner.columns), key) do update
            set fingerprint = excluded.fingerprint, attempt = excluded.attempt, created_at = clock_timestamp(),
              ended_at = null, status = null, content_type = null, location = null, etag = null, body = null
            where keys.attempt = excluded.attempt
              or keys.created_at <= clock_timestamp() - make_interval(secs => \(Self.lifetime)::integer)
            returning true
            """)
        guard row != nil else { throw IdempotencyKeyTaken() }
        taken.withLock { $0 = true }
    }

    /// The earlier use of the key.
    fileprivate func use(in database: Database) throws -> IdempotencyUse {
        let row = try database.only(
            """
            select (
                select count(*) from (
                  select from \(fragment: owner.table) as keys where \(fragment: owner.sharesLimit)
                  limit \(owner.maximumKeys)
                ) as counted
              ) as keys,
              found.fingerprint, found.created_at, found.ended_at, found.status, found.content_type, found.location,
              found.etag, found.body,
              found.created_at > clock_timestamp() - make_interval(secs => \(Self.answerTime)::integer)
                as is_recent
            from (select) as one
            left join (
              select * from \(fragment: owner.table) as keys
              where (\(fragment: owner.columns)) = (\(fragment: owner.values)) and key = \(key)
                and created_at > clock_timestamp() - make_interval(secs => \(Self.lifetime)::integer)
            ) as found on true
            """)
        guard let fingerprint = try row.decode("fingerprint", as: [UInt8]?.self) else {
            return .none(isFull: try row.decode("keys", as: Int.self) >= owner.maximumKeys)
        }
        if fingerprint != self.fingerprint { return .otherRequest }
        if let answer = try KeptAnswer(row: row) { return .answered(answer) }
        let hasEnded = try row.decode("ended_at", as: Date?.self) != nil
        if !hasEnded, try row.decode("is_recent", as: Bool.self) { return .running }
        return .lost(at: try row.decode("created_at", as: Date.self))
    }

    /// Ends the attempt. Does nothing if the attempt committed no change.
    fileprivate func end(with answer: KeptAnswer?, in database: Database) throws {
        try database.execute(
            """
            update \(fragment: owner.table)
            set ended_at = clock_timestamp(), status = \(answer?.status), content_type = \(answer?.contentType),
              location = \(answer?.location), etag = \(answer?.etag), body = \(answer?.body)
            where (\(fragment: owner.columns)) = (\(fragment: owner.values)) and key = \(key) and attempt = \(attempt)
            """)
    }
}

extension IdempotencyClaim.Owner {
    fileprivate var text: String {
        switch self {
        case .caller(let caller, let organization): "\(organization) \(caller)"
        case .account(let user): "account \(user)"
        }
    }

    fileprivate var table: SQL {
        switch self {
        case .caller: "idempotency_keys"
        case .account: "account_idempotency_keys"
        }
    }

    /// The columns that identify the owner.
    fileprivate var columns: SQL {
        switch self {
        case .caller: "organization_id, caller"
        case .account: "user_id"
        }
    }

    fileprivate var values: SQL {
        switch self {
        case .caller(let caller, let organization): "\(organization.uuid)::uuid, \(caller)::uuid"
        case .account(let user): "\(user.uuid)::uuid"
        }
    }

    /// The condition for the keys that ``maximumKeys`` limits together.
    fileprivate var sharesLimit: SQL {
        switch self {
        case .caller(_, let organization): "organization_id = \(organization.uuid)"
        case .account(let user): "user_id = \(user.uuid)"
        }
    }
}

/// Another request holds or has used this idempotency key, so the transaction changed nothing.
public struct IdempotencyKeyTaken: Error {}

/// An answer that is kept to be repeated.
public struct KeptAnswer: Hashable, Sendable {
    /// The maximum length of a kept body in bytes.
    public static let maximumBody = 65_536

    /// The HTTP status.
    public let status: Int
    /// The field `Content-Type`.
    public let contentType: String?
    /// The field `Location`.
    public let location: String?
    /// The field `ETag`.
    public let etag: String?
    /// The body, or `nil` if it is not kept.
    public let body: [UInt8]?

    /// Creates an answer. A body that is too long is not kept.
    public init(status: Int, contentType: String?, location: String?, etag: String?, body: [UInt8]?) {
        self.status = status
        self.contentType = contentType
        self.location = location
        self.etag = etag
        self.body = body.flatMap { $0.count <= Self.maximumBody ? $0 : nil }
    }

    fileprivate init?(row: Row) throws {
        guard let status = try row.decode("status", as: Int?.self) else { return nil }
        self.init(
            status: status, contentType: try row.decode("content_type", as: String?.self),
            location: try row.decode("location", as: String?.self), etag: try row.decode("etag", as: String?.self),
            body: try row.decode("body", as: [UInt8]?.self))
    }
}

/// The earlier use of an idempotency key.
public enum IdempotencyUse: Hashable, Sendable {
    /// The key is new. `isFull` is true if the organization has no room for another key.
    case none(isFull: Bool)
    /// The key was used for another request.
    case otherRequest
    /// The change was made, and its answer is not known yet.
    case running
    /// The change was made at this time, and its answer will never be known.
    case lost(at: Date)
    /// The change was made, and this was its answer.
    case answered(KeptAnswer)
}

extension TenantTransaction {
    /// The earlier use of a claim's key.
    public func use(of claim: IdempotencyClaim) throws -> IdempotencyUse { try claim.use(in: database) }

    /// Ends a claim's attempt. Does nothing if the attempt committed no change.
    ///
    /// - Parameter answer: The answer to keep, or `nil` to keep none.
    public func end(_ claim: IdempotencyClaim, with answer: KeptAnswer?) throws {
        try claim.end(with: answer, in: database)
    }

    /// Deletes some of the expired keys. Returns true if there may be more.
    public func forgetIdempotencyKeys() throws -> Bool {
        let atOnce = 1_000
        return try database.execute(
            """
            delete from idempotency_keys
            where organization_id = \(organization.uuid) and (caller, key) in (
              select caller, key from idempotency_keys
              where organization_id = \(organization.uuid)
                and created_at <= clock_timestamp() - make_interval(secs => \(IdempotencyClaim.lifetime)::integer)
              limit \(atOnce) for update skip locked)
            """) == atOnce
    }
}

extension SystemTransaction {
    /// The earlier use of the key of a claim of an account.
    public func use(of claim: IdempotencyClaim) throws -> IdempotencyUse { try claim.use(in: database) }

    /// Ends the attempt of a claim of an account. Does nothing if the attempt committed no change.
    ///
    /// - Parameter answer: The answer to keep, or `nil` to keep none.
    public func end(_ claim: IdempotencyClaim, with answer: KeptAnswer?) throws {
        try claim.end(with: answer, in: database)
    }

    /// Deletes some of the expired keys of accounts. Returns true if there may be more.
    public func forgetIdempotencyKeys() throws -> Bool {
        let atOnce = 1_000
        return try database.execute(
            """
            delete from account_idempotency_keys
            where (user_id, key) in (
              select user_id, key from account_idempotency_keys
              where created_at <= clock_timestamp() - make_interval(secs => \(IdempotencyClaim.lifetime)::integer)
              limit \(atOnce) for update skip locked)
            """) == atOnce
    }
}
