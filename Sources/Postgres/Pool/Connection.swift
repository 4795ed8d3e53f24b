import CLibPQ
import Timing

/// A wire, what is prepared on it, and the way an access runs on it. Belongs to one thread.
final class Connection {
    let wire: Wire
    let configuration: PostgresConfiguration
    var statements: PreparedStatements

    init(wire: Wire, configuration: PostgresConfiguration) {
        self.wire = wire
        self.configuration = configuration
        statements = PreparedStatements(limit: configuration.maximumPreparedStatements)
    }

    /// Whether the next user may have it: in order, and no transaction open.
    var isFit: Bool { !wire.isBroken && wire.transactionStatus == PQTRANS_IDLE }

    /// Runs one access: the body, then commit, or rollback when anything was thrown.
    ///
    /// A prepared statement may turn out to be stale in the middle of a transaction, which aborts it. The body then
    /// runs a second time from the start.
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
