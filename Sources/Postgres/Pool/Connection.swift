import CLibPQ
import Timing

/// A connection with its prepared statements. It runs accesses, and only one thread uses it.
final class Connection {
    let wire: Wire
    let configuration: PostgresConfiguration
    var statements: PreparedStatements

    init(wire: Wire, configuration: PostgresConfiguration) {
        self.wire = wire
        self.configuration = configuration
        statements = PreparedStatements(limit: configuration.maximumPreparedStatements)
    }

    /// True if the next caller can use the connection: it works, and no transaction is open.
    var isFit: Bool { !wire.isBroken && wire.transactionStatus == PQTRANS_IDLE }

    /// Runs one access: the body, then a commit, or a rollback if the body threw an error.
    ///
    /// If a prepared statement is stale, the transaction is aborted and the body runs again from the start.
    func perform<Success>(
        _ access: Access, until deadline: MonotonicInstant, cancellation: Cancellation,
        _ body: (Database) throws -> Success
    ) throws -> Success {
        var mayRepeat = true
        while true {
            let database = Database(
                connection: self, access: access, deadline: deadline, cancellation: cancellation)
            do {
                let value = try body(database)
                try database.commit()
                return value
            } catch {
                database.rollback()
                guard mayRepeat, database.foundStaleStatement, isFit else { throw error }
                mayRepeat = false
            }
        }
    }
}
