import CLibPQ
import Timing

extension Database {
    /// The time limit for commit and rollback, regardless of the time left for the access.
    private static let endingPatience: Duration = .seconds(1)

    /// Commits after the body has succeeded.
    ///
    /// - Throws: The error that aborted the transaction, even if the body caught it; `.server` if the commit is refused
    ///   (deferred constraints, serialization); `.commitOutcomeUnknown` if the server did not confirm the commit.
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
        // If the transaction was aborted, PostgreSQL responds to `commit` with a rollback and reports no error.
        guard result.commandTag == "COMMIT" else {
            throw PostgresError(.misuse, "the transaction was aborted and rolled back")
        }
    }

    /// Rolls back after the body has thrown an error. If this takes too long, the connection is closed, which also
    /// rolls back.
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
