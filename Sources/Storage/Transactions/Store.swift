public import Postgres
import StrictJSON

/// Gives access to all stored data; there is no other way to it.
///
/// `read(as:)` and `write(as:by:)` give a ``TenantTransaction``, which is bound to one organization. Only it can access
/// a tenant's rows. The functions without `as:` give a ``SystemTransaction``, for a fixed list of tables that belong to
/// no tenant.
///
/// Closures are synchronous, so that a transaction waits for nothing but the database. They run on the connection's
/// thread, and must not store the transaction.
///
/// All functions throw ``StorageError`` for errors that the caller can fix, and `PostgresError` for other errors.
public struct Store: Sendable {
    /// The channel that is notified when a job is queued.
    public static let jobsChannel = "waymark_jobs"
    /// The channel that is notified when a live version changes, with the activation.
    public static let liveChannel = "waymark_live"
    /// The channel that is notified when a token is revoked, a session ends or a role changes.
    public static let accessChannel = "waymark_access"

    /// The store's connections.
    public let pool: PostgresPool
    private let zones = ZoneNames()
    private let memory = DraftMemory()

    /// Creates a store over a pool of connections with the runtime role.
    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Reads rows of an organization.
    public func read<Value: Sendable>(
        as organization: ID<Organization>, _ body: @escaping @Sendable (TenantTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read(as: organization.uuid) { [zones, memory] database in
            try body(
                TenantTransaction(
                    database: database, zones: zones, memory: memory, organization: organization, author: .system))
        }
    }

    /// Changes rows of an organization in one transaction. It records the ``IdempotencyClaim/current`` claim, if there
    /// is one, and its audit entries name the ``RequestOrigin/current`` request. In a ``DryRun``, it is rolled back.
    ///
    /// - Parameters:
    ///   - author: The author for the audit trail.
    ///   - act: The act that the transaction's events belong to, or `nil`.
    ///   - deadline: The time limit, or `nil` for the default.
    public func write<Value: Sendable>(
        as organization: ID<Organization>, by author: Author, deadline: Duration? = nil, partOf act: EventAct? = nil,
        _ body: @escaping @Sendable (TenantTransaction) throws -> Value
    ) async throws -> Value {
        let claim = IdempotencyClaim.current(in: organization)
        let isDryRun = DryRun.isOn
        let settings = RequestOrigin.current?.settings ?? []
        return try await translatingConflicts {
            try await pool.write(as: organization.uuid, deadline: deadline, settings: settings) {
                [zones, memory] database in
                let tenant = TenantTransaction(
                    database: database, zones: zones, memory: memory, organization: organization, author: author)
                try claim?.take(in: database)
                if let act { try tenant.begin(act) }
                return try DryRun.run(isDryRun, in: database) { try body(tenant) }
            }
        }
    }

    /// Reads the installation's tables.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (SystemTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read { database in try body(SystemTransaction(database: database)) }
    }

    /// Changes the installation's tables in one transaction. It records the ``IdempotencyClaim/current`` claim, if that
    /// is a claim of an account. In a ``DryRun``, it is rolled back.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (SystemTransaction) throws -> Value
    ) async throws -> Value {
        let claim = IdempotencyClaim.ofAccount
        let isDryRun = DryRun.isOn
        let settings = RequestOrigin.current?.settings ?? []
        return try await translatingConflicts {
            try await pool.write(settings: settings) { database in
                try claim?.take(in: database)
                return try DryRun.run(isDryRun, in: database) { try body(SystemTransaction(database: database)) }
            }
        }
    }

    private func translatingConflicts<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let undone as DryRun.RolledBack<Value> {
            return undone.value
        } catch let error as PostgresError {
            throw StorageError(violatedConstraintOf: error) ?? error
        }
    }
}

/// A transaction on the data of one organization. Each feature's folder extends it with functions for its tables.
///
/// Isolation is enforced twice: every statement names the organization, and row level security checks it again.
public struct TenantTransaction {
    let database: Database
    let zones: ZoneNames
    let memory: DraftMemory
    /// The organization of the transaction.
    public let organization: ID<Organization>
    /// The author of the changes.
    public let author: Author
}

/// A transaction on data that belongs to no organization, such as people, credentials, claims and jobs.
public struct SystemTransaction {
    let database: Database
}

/// An organization.
public struct Organization: Hashable, Sendable {
    /// The organization's ID.
    public let id: ID<Organization>
    /// The short name in URLs and on the command line: lower-case letters, digits and single hyphens, at most 63
    /// characters.
    public let slug: String
    /// The display name, at most 200 characters.
    public let name: String
    /// Whether members without a second factor are refused. Tokens are not.
    public let requiresSecondFactor: Bool
    /// What the operator allows the organization.
    public let quotas: OrganizationQuotas
    /// Its deletion, or `nil` if none was requested.
    public let deletion: OrganizationDeletion?

    /// What an administrator can change, for the audit trail.
    var detail: JSONValue { ["name": .string(name), "requiresSecondFactor": .bool(requiresSecondFactor)] }

    /// Whether a text has the form of a short name.
    public static func isSlug(_ text: String) -> Bool {
        text.utf8.count <= 63 && text.wholeMatch(of: /[a-z0-9](-?[a-z0-9])*/) != nil
    }
}
