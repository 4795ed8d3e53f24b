import Timing

/// The database during one access: one organization, one transaction, one thread.
///
/// Not `Sendable`, and of no use after its closure has returned: nothing can await inside a transaction, and a
/// connection cannot leak. Its calls block the connection's own thread, never one of Swift's.
public final class Database {
    let connection: Connection
    let access: Access
    let deadline: MonotonicInstant
    let cancellation: Cancellation
    var phase = Phase.fresh
    /// The error that has aborted the transaction: nothing but rollback can follow.
    var failure: PostgresError?
    /// Whether a prepared statement turned out to be out of date, so that the whole access is worth repeating.
    var metStaleStatement = false
    private(set) lazy var prologue = access.prologue(limits: limits)

    enum Phase {
        /// Nothing sent so far.
        case fresh
        /// Between begin and commit.
        case inTransaction
        /// Over.
        case closed
    }

    init(connection: Connection, access: Access, deadline: MonotonicInstant, cancellation: Cancellation) {
        self.connection = connection
        self.access = access
        self.deadline = deadline
        self.cancellation = cancellation
    }

    /// Runs a statement and gives its rows.
    ///
    /// - Throws: `PostgresError`: `.server` when PostgreSQL refuses it, `.encoding` when a parameter cannot be sent,
    ///   `.deadline`, `.connection`, `.cancelled`. After any of them a `write` can only end; catching the error does
    ///   not make it commit.
    public func query(_ statement: SQL) throws(PostgresError) -> [Row] {
        try run(statement).rows
    }

    /// Runs a statement and gives its first row; nil when there is none.
    ///
    /// - Throws: as `query`.
    public func first(_ statement: SQL) throws(PostgresError) -> Row? {
        let result = try run(statement)
        return result.rowCount > 0 ? Row(set: result, index: 0) : nil
    }

    /// Runs a statement for its effect.
    ///
    /// - Returns: how many rows it inserted, updated or deleted (or selected).
    /// - Throws: as `query`.
    @discardableResult
    public func execute(_ statement: SQL) throws(PostgresError) -> Int {
        try run(statement).affectedRows
    }

    /// Tells all listeners of a channel, when this transaction commits. Listeners may miss it: a hint, not the truth.
    ///
    /// - Parameter payload: at most 7,999 bytes.
    /// - Throws: as `query`.
    public func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try execute("select pg_notify(\(channel), \(payload))")
    }

    /// Limits that go with the transaction: behind a pooler, where nothing may be set for the session, and for an
    /// access that may take longer than the session's limit for a statement.
    private var limits: Access.Limits? {
        let configuration = connection.configuration
        let time = deadline.since(.now)
        guard configuration.isPooled || time > configuration.statementTimeout else { return nil }
        return Access.Limits(
            statementTimeout: max(time, .milliseconds(1)), lockTimeout: configuration.lockTimeout,
            idleInTransactionTimeout: max(configuration.idleInTransactionTimeout, time))
    }
}

@available(*, unavailable)
extension Database: Sendable {}
