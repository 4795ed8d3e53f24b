import NIOConcurrencyHelpers
import Timing

/// A caller's work with a connection: it waits in the pool, and then runs on the connection's thread.
final class PendingAccess: Sendable {
    /// Runs the access. Returns a closure that delivers the result to the caller. The closure runs after the connection
    /// was given to its next user.
    typealias Work = @Sendable (Connection, PendingAccess) -> @Sendable () -> Void

    let deadline: MonotonicInstant
    let cancellation = Cancellation()
    private let work: Work
    private let refuse: @Sendable (PostgresError) -> Void
    /// Wakes the thread that runs the access, so that it notices a cancellation.
    private let runner = NIOLockedValueBox<WakeUp?>(nil)

    init(deadline: MonotonicInstant, work: @escaping Work, refuse: @escaping @Sendable (PostgresError) -> Void) {
        self.deadline = deadline
        self.work = work
        self.refuse = refuse
    }

    /// Runs the access. Call either `run` or `fail`, once.
    func run(on connection: Connection) -> @Sendable () -> Void {
        runner.withLockedValue { $0 = connection.wire.wakeUp }
        defer { runner.withLockedValue { $0 = nil } }
        return work(connection, self)
    }

    /// Reports an error to the caller of an access that did not run.
    func fail(_ error: PostgresError) {
        refuse(error)
    }

    /// Cancels the access, whether it is waiting or running.
    func cancel() {
        cancellation.cancel()
        runner.withLockedValue { $0?.raise() }
    }
}
