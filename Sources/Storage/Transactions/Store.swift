public import Postgres

/// The one way to what is stored.
///
/// A tenant's rows are reached through `read(as:)` and `write(as:by:)` alone: the closure gets a ``TenantTransaction``, bound to
/// the organization of its transaction. What runs before or across organizations gets an ``SystemTransaction``, which knows
/// the closed list of tables that are not a tenant's. Closures are synchronous: nothing else happens inside a
/// transaction. They may be run on a thread of the connection and must not keep the value that they are given.
///
/// All functions throw ``StorageError`` for what the caller can mend and `PostgresError` for what it cannot.
public struct Store: Sendable {
    /// Told when a job has been queued.
    public static let jobsChannel = "waymark_jobs"
    /// Told when something has gone live, with its activation.
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

    /// Changes rows of an organization in one transaction; `author` goes into the audit trail. `deadline` is how long it
    /// may take; `nil` for the usual time.
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

    /// Reads what belongs to the installation.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (SystemTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read { database in try body(SystemTransaction(database: database)) }
    }

    /// Changes what belongs to the installation, in one transaction.
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

/// What one organization stores, within a transaction of its own. Its verbs stand beside each table's record.
///
/// Isolation holds twice over: every statement names the organization, and row level security adds it again.
public struct TenantTransaction {
    let database: Database
    let zones: ZoneNames
    /// The organization of the transaction.
    public let organization: ID<Organization>
    /// Who acts in it.
    public let author: Author
}

/// What the installation stores outside organizations, within a transaction: people, credentials, claims and jobs.
public struct SystemTransaction {
    let database: Database
}

/// Names the organization as a type, so that its ID cannot be taken for another's.
public struct Organization: Hashable, Sendable {
    /// The organization's ID.
    public let id: ID<Organization>
    /// Its short name in URLs and on the command line: lower-case letters, digits and single hyphens, at most 63.
    public let slug: String
    /// Its name for people, at most 200 characters.
    public let name: String
}
