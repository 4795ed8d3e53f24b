import NIOConcurrencyHelpers
import Timing

/// An access that waits in the pool, and then runs on a connection's thread.
final class PendingAccess: Sendable {
    /// Runs the access and returns a closure that answers the caller. The closure runs after the connection was given
    /// to its next user.
    typealias Work = @Sendable (Connection, PendingAccess) -> @Sendable () -> Void

    let deadline: MonotonicInstant
    let cancellation = Cancellation()
    private let work: Work
    private let refuse: @Sendable (PostgresError) -> Void
    /// Wakes the thread that runs the access, for cancellation.
    private let runner = NIOLockedValueBox<WakeUp?>(nil)

    init(deadline: MonotonicInstant, work: @escaping Work, refuse: @escaping @Sendable (PostgresError) -> Void) {
        self.deadline = deadline
        self.work = work
        self.refuse = refuse
    }

    /// Runs the access. Exactly one of `run` and `fail` is called, exactly once.
    func run(on connection: Connection) -> @Sendable () -> Void {
        runner.withLockedValue { $0 = connection.wire.wakeUp }
        defer { runner.withLockedValue { $0 = nil } }
        return work(connection, self)
    }

    /// Ends the access before it has run.
    func fail(_ error: PostgresError) {
        refuse(error)
    }

    /// Ends the access early.
    func cancel() {
        cancellation.cancel()
        runner.withLockedValue { $0?.raise() }
    }
}
