public import Postgres

/// The only access to stored data.
///
/// A tenant's rows are reached only through `read(as:)` and `write(as:by:)`. Their closure gets a
/// ``TenantTransaction``, which is bound to one organization. Work before or across organizations gets a
/// ``SystemTransaction``, for the closed list of tables that belong to no tenant. Closures are synchronous, so nothing
/// else happens inside a transaction. They run on the connection's thread, and must not keep the transaction.
///
/// All functions throw ``StorageError`` for errors that the caller can fix, and `PostgresError` for others.
public struct Store: Sendable {
    /// The channel that is notified when a job is queued.
    public static let jobsChannel = "waymark_jobs"
    /// The channel that is notified when something goes live, with its activation.
    public static let liveChannel = "waymark_live"

    /// The connections that the store uses.
    public let pool: PostgresPool
    private let zones = ZoneNames()

    /// A store over a pool of connections of the runtime role.
    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Reads rows of an organization.
    public func read<Value: Sendable>(
        as organization: ID<Organization>, _ body: @escaping @Sendable (TenantTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read(as: organization.uuid) { [zones] database in
            try body(TenantTransaction(database: database, zones: zones, organization: organization, author: .system))
        }
    }

    /// Changes rows of an organization in one transaction. The audit trail names `author`. `deadline` is the time
    /// limit; `nil` for the default.
    public func write<Value: Sendable>(
        as organization: ID<Organization>, by author: Author, deadline: Duration? = nil,
        _ body: @escaping @Sendable (TenantTransaction) throws -> Value
    ) async throws -> Value {
        try await translatingConflicts {
            try await pool.write(as: organization.uuid, deadline: deadline) { [zones] database in
                try body(
                    TenantTransaction(database: database, zones: zones, organization: organization, author: author))
            }
        }
    }

    /// Reads the installation's tables.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (SystemTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read { database in try body(SystemTransaction(database: database)) }
    }

    /// Changes the installation's tables in one transaction.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (SystemTransaction) throws -> Value
    ) async throws -> Value {
        try await translatingConflicts {
            try await pool.write { database in try body(SystemTransaction(database: database)) }
        }
    }

    private func translatingConflicts<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            throw StorageError(violatedConstraintOf: error) ?? error
        }
    }
}

/// A transaction over the data of one organization. Its functions are in the files of the tables.
///
/// Isolation is enforced twice: every statement names the organization, and row level security checks it again.
public struct TenantTransaction {
    let database: Database
    let zones: ZoneNames
    /// The organization of the transaction.
    public let organization: ID<Organization>
    /// Who makes the changes.
    public let author: Author
}

/// A transaction over the data outside organizations: people, credentials, claims and jobs.
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
    /// Its name for people, at most 200 characters.
    public let name: String
}
