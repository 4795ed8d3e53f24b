import CLibPQ
import Timing

/// A connection with its prepared statements; runs accesses. Belongs to one thread.
final class Connection {
    let wire: Wire
    let configuration: PostgresConfiguration
    var statements: PreparedStatements

    init(wire: Wire, configuration: PostgresConfiguration) {
        self.wire = wire
        self.configuration = configuration
        statements = PreparedStatements(limit: configuration.maximumPreparedStatements)
    }

    /// Whether the next caller may use it: it works, and no transaction is open.
    var isFit: Bool { !wire.isBroken && wire.transactionStatus == PQTRANS_IDLE }

    /// Runs one access: the body, then commit, or rollback if the body threw.
    ///
    /// If a prepared statement is stale, the transaction aborts. The body then runs a second time from the start.
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
                guard mayRepeat, database.metStaleStatement, isFit else { throw error }
                mayRepeat = false
            }
        }
    }
}
