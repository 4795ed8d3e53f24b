import NIOConcurrencyHelpers
import Timing

/// One access on its way: waits in the pool, then runs on a connection's thread.
final class PendingAccess: Sendable {
    /// Runs the access and gives what then tells the caller, to be called when the connection has been passed on.
    typealias Work = @Sendable (Connection, PendingAccess) -> @Sendable () -> Void

    let deadline: MonotonicInstant
    let cancellation = Cancellation()
    private let work: Work
    private let refuse: @Sendable (PostgresError) -> Void
    /// The thread that runs the access, so that a cancellation can wake it.
    private let runner = NIOLockedValueBox<WakeUp?>(nil)

    init(deadline: MonotonicInstant, work: @escaping Work, refuse: @escaping @Sendable (PostgresError) -> Void) {
        self.deadline = deadline
        self.work = work
        self.refuse = refuse
    }

    /// Runs the access. Either this or `fail` is called, once.
    func run(on connection: Connection) -> @Sendable () -> Void {
        runner.withLockedValue { $0 = connection.wire.wakeUp }
        defer { runner.withLockedValue { $0 = nil } }
        return work(connection, self)
    }

    /// Ends the access before it ran.
    func fail(_ error: PostgresError) {
        refuse(error)
    }

    /// Tells the access to end early.
    func cancel() {
        cancellation.cancel()
        runner.withLockedValue { $0?.raise() }
    }
}
