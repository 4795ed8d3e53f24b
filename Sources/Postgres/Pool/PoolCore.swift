import Glibc
import Logging
import Metrics
import NIOConcurrencyHelpers
import Timing

/// The pool's state with its lock, and the threads that carry out its decisions. The threads keep this object alive
/// until `PostgresPool` closes it.
final class PoolCore: Sendable {
    private struct State {
        var pool: PoolState<PendingAccess>
        var threads: [ConnectionThread?]
        /// Accesses that were assigned to an idle connection but not yet taken by its thread, by slot.
        var assignments: [PendingAccess?]
        var lastFailure: PostgresError?
        var hasMaintenance = false
    }

    let configuration: PostgresConfiguration
    private let logger: Logger
    private let state: NIOLockedValueBox<State>
    private let maintenance = WakeUp()
    private let metrics: PoolMetrics

    init(configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        metrics = PoolMetrics(name: configuration.applicationName)
        let count = max(1, configuration.maximumConnections)
        let limits = PoolState<PendingAccess>.Limits(
            connections: count, waiters: configuration.maximumWaiters, wait: configuration.maximumWait,
            idle: configuration.idleLifetime)
        state = NIOLockedValueBox(
            State(
                pool: PoolState(limits: limits), threads: Array(repeating: nil, count: count),
                assignments: Array(repeating: nil, count: count)))
    }

    /// Submits an access. It runs, waits, or is refused immediately.
    func submit(_ pending: PendingAccess) {
        let now = MonotonicInstant.now
        let (admission, thread, failure) = state.withLockedValue { state in
            let admission = state.pool.request(pending, until: pending.deadline, now: now)
            var thread: ConnectionThread?
            if case .assign(let slot) = admission {
                state.assignments[slot] = pending
                thread = state.threads[slot]
            }
            return (admission, thread, state.lastFailure)
        }
        switch admission {
        case .assign: thread?.wakeUp.raise()
        case .wait(let open):
            startMaintenance()
            if let open { self.open(open) }
            // The access may have been cancelled before it was added to the queue. If so, remove it here.
            if pending.cancellation.isCancelled { cancel(pending) }
        case .refuse(.crowded):
            pending.fail(crowded())
        case .refuse(.unreachable):
            pending.fail(failure ?? PostgresError(.connection, "the database cannot be reached"))
        case .refuse(.closed): pending.fail(PostgresError(.connection, "the pool is closed"))
        }
    }

    /// Creates the error for a full queue, and counts the refusal.
    func crowded() -> PostgresError {
        metrics.refused.increment()
        return PostgresError(.poolExhausted, "\(configuration.maximumWaiters) callers wait already")
    }

    /// Ends an access early, whether it is waiting or running.
    func cancel(_ pending: PendingAccess) {
        pending.cancel()
        if state.withLockedValue({ $0.pool.withdraw(pending) }) {
            pending.fail(PostgresError(.cancelled, "while waiting for a connection"))
        }
    }

    /// Marks a connection as free. Returns the access that it must run next, or `nil` if it is now idle.
    func ready(_ slot: Int, isOpening: Bool) -> PendingAccess? {
        let now = MonotonicInstant.now
        if isOpening { metrics.opened.increment() }
        return state.withLockedValue { state in
            if isOpening { state.lastFailure = nil }
            guard !state.pool.isClosed else {
                state.threads[slot]?.closing.cancel()
                return nil
            }
            return state.pool.ready(slot, now: now)
        }
    }

    /// Returns the access that was assigned to an idle connection.
    func assigned(to slot: Int) -> PendingAccess? {
        state.withLockedValue { state in
            defer { state.assignments[slot] = nil }
            return state.assignments[slot]
        }
    }

    /// Handles the end of a connection.
    func lost(_ slot: Int) {
        let now = MonotonicInstant.now
        metrics.closed.increment()
        let open = state.withLockedValue { state in
            state.threads[slot] = nil
            if let pending = state.assignments[slot] {
                state.assignments[slot] = nil
                state.pool.putBack(pending, until: pending.deadline, now: now)
            }
            return state.pool.lost(slot, now: now)
        }
        if let open { self.open(open) }
    }

    /// Handles a failed connection attempt.
    func openingFailed(_ slot: Int, _ error: PostgresError) {
        metrics.failed.increment()
        let (waiters, isFirst) = state.withLockedValue { state in
            state.threads[slot] = nil
            let isFirst = state.lastFailure == nil
            state.lastFailure = error.kind == .cancelled ? nil : error
            return (state.pool.openingFailed(slot, now: .now, chance: .random(in: 0...1)), isFirst)
        }
        // Logged once per outage, although attempts continue.
        if isFirst { logger.warning("cannot connect to postgres", metadata: ["error": "\(error)"]) }
        for waiter in waiters { waiter.fail(PostgresError(.connection, error.message)) }
    }

    private func open(_ slot: Int) {
        let thread = ConnectionThread(slot: slot, configuration: configuration, logger: logger, core: self)
        state.withLockedValue { $0.threads[slot] = thread }
        if !thread.start() { openingFailed(slot, PostgresError(.connection, "no thread or descriptor left")) }
    }

    /// Closes the pool: waiting accesses fail, idle connections close, and running accesses finish.
    func close() {
        let (waiters, threads) = state.withLockedValue { state in
            let (waiters, _) = state.pool.close()
            return (waiters, state.threads.compactMap(\.self))
        }
        for waiter in waiters { waiter.fail(PostgresError(.connection, "the pool is closed")) }
        for thread in threads { thread.stop() }
        maintenance.raise()
    }

    /// The number of waiting accesses, and the number of open connections.
    var load: (waiting: Int, open: Int) { state.withLockedValue { ($0.pool.waiting, $0.pool.openCount) } }

    /// True if all connections have ended.
    var isEmpty: Bool { state.withLockedValue { $0.pool.openCount == 0 } }

    // The maintenance is a thread that refuses accesses that have waited too long, closes idle connections, and retries
    // to connect.

    private func startMaintenance() {
        let mustStart = state.withLockedValue { state in
            defer { state.hasMaintenance = true }
            return !state.hasMaintenance
        }
        guard mustStart else { return }
        let started = Thread.start(named: "postgres-pool") { self.maintain() }
        if !started { state.withLockedValue { $0.hasMaintenance = false } }
    }

    private func maintain() {
        while true {
            let now = MonotonicInstant.now
            let (due, next, isOver) = state.withLockedValue { state in
                let due = state.pool.due(now: now)
                metrics.record(state.pool)
                return (due, state.pool.nextDue, state.pool.isClosed)
            }
            apply(due)
            guard !isOver else { return }
            // A new access may have an earlier deadline, and it does not wake this thread. So the thread checks at
            // least ten times per second.
            maintenance.wait(until: min(next ?? .distantFuture, now + .milliseconds(100)))
        }
    }

    private func apply(_ due: PoolState<PendingAccess>.Due) {
        for waiter in due.expired {
            metrics.refused.increment()
            waiter.fail(PostgresError(.poolExhausted, "no connection became free in time"))
        }
        let threads = state.withLockedValue { state in due.surplus.compactMap { state.threads[$0] } }
        for thread in threads { thread.stop() }
        for slot in due.open { open(slot) }
    }
}
