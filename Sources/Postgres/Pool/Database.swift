import Timing

/// The database during one access: one organization, one transaction, one thread.
///
/// It is not `Sendable` and cannot be used after its closure has returned. So a transaction cannot contain an `await`,
/// and a connection cannot leak. Its calls block the connection's own thread, never a Swift thread.
public final class Database {
    let connection: Connection
    let access: Access
    let deadline: MonotonicInstant
    let cancellation: Cancellation
    var phase = Phase.fresh
    /// The error that aborted the transaction. After it, only a rollback is possible.
    var failure: PostgresError?
    /// True if a prepared statement was stale. The access should then run again.
    var foundStaleStatement = false
    private(set) lazy var prologue = access.prologue(limits: limits)

    enum Phase {
        /// No statement has been sent.
        case fresh
        /// The transaction is open, between `begin` and `commit`.
        case inTransaction
        /// The access has ended, so the database cannot be used any more.
        case closed
    }

    init(connection: Connection, access: Access, deadline: MonotonicInstant, cancellation: Cancellation) {
        self.connection = connection
        self.access = access
        self.deadline = deadline
        self.cancellation = cancellation
    }

    /// Runs a statement and returns its rows.
    ///
    /// - Throws: `PostgresError`: `.server` if PostgreSQL refuses it, `.encoding` if a parameter cannot be sent,
    ///   `.deadline`, `.connection`, `.cancelled`. After any of these errors, a `write` cannot commit, even if the body
    ///   catches the error.
    public func query(_ statement: SQL) throws(PostgresError) -> [Row] {
        try run(statement).rows
    }

    /// Runs a statement and returns its first row, or `nil` if the result is empty.
    ///
    /// - Throws: as `query`.
    public func first(_ statement: SQL) throws(PostgresError) -> Row? {
        let result = try run(statement)
        return result.rowCount > 0 ? Row(set: result, index: 0) : nil
    }

    /// Runs a statement for its effect.
    ///
    /// - Returns: The number of rows that it inserted, updated, deleted or selected.
    /// - Throws: as `query`.
    @discardableResult
    public func execute(_ statement: SQL) throws(PostgresError) -> Int {
        try run(statement).affectedRows
    }

    /// Notifies the listeners of a channel when this transaction commits. Listeners may miss the notification.
    ///
    /// - Parameter payload: At most 7,999 bytes.
    /// - Throws: as `query`.
    public func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try execute("select pg_notify(\(channel), \(payload))")
    }

    /// The limits to set for this transaction, or `nil` if the session's limits apply. A pooler does not allow session
    /// limits. An access with a longer deadline must raise the session's limit.
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
