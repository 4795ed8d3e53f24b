import CLibPQ
import Timing

extension Database {
    /// How long commit and rollback are waited for, whatever is left of the access's own time.
    private static let endingPatience: Duration = .seconds(1)

    /// Ends the access after its body has succeeded.
    ///
    /// - Throws: what aborted the transaction, even if the body caught it; `.server` when the commit is refused
    ///   (deferred constraints, serialization); `.commitOutcomeUnknown` when its answer never came.
    func commit() throws(PostgresError) {
        if let failure { throw failure }
        guard phase == .inTransaction else {
            phase = .closed
            return
        }
        guard !cancellation.isCancelled else { throw PostgresError(.cancelled, "before commit") }
        guard MonotonicInstant.now < deadline else { throw PostgresError(.deadline, "before commit") }
        phase = .closed
        let limit = max(deadline, .now + Self.endingPatience)
        let results: [ResultSet]
        do throws(PostgresError) {
            results = try connection.wire.run(
                [.execute(text: "commit", parameters: [])], until: limit, cancellation: nil)
        } catch {
            throw PostgresError(.commitOutcomeUnknown, error.message)
        }
        guard let result = results.first else { throw PostgresError(.commitOutcomeUnknown, "no answer") }
        if let error = result.error {
            guard !error.endsConnection else {
                connection.wire.isBroken = true
                throw PostgresError(.commitOutcomeUnknown, error.safeDescription)
            }
            throw PostgresError(server: error)
        }
        // PostgreSQL answers the commit of an aborted transaction with a rollback and no error.
        guard result.commandTag == "COMMIT" else {
            throw PostgresError(.misuse, "the transaction had been aborted, and was rolled back")
        }
    }

    /// Ends the access after its body has thrown. What cannot be rolled back in time loses its connection, which rolls
    /// back as well.
    func rollback() {
        phase = .closed
        guard !connection.wire.isBroken, connection.wire.transactionStatus != PQTRANS_IDLE else { return }
        let limit = MonotonicInstant.now + Self.endingPatience
        let rollback = Command.execute(text: "rollback", parameters: [])
        do throws(PostgresError) {
            let results = try connection.wire.run([rollback], until: limit, cancellation: nil)
            if results.first?.error != nil { connection.wire.isBroken = true }
        } catch {
            connection.wire.isBroken = true
        }
    }
}
