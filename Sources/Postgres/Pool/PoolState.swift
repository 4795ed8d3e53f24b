import DequeModule
import Timing

/// The pool's decisions, without threads, sockets or clocks. It decides whether a caller gets a connection, waits or is
/// refused, and when to open or close a connection. The caller of these functions carries out the decisions.
///
/// Each connection has a slot, numbered from 0. Waiting callers are served in order of arrival.
struct PoolState<Waiter: AnyObject & Sendable>: Sendable {
    struct Limits: Sendable {
        var connections: Int
        var waiters: Int
        var wait: Duration
        var idle: Duration
        /// The pause between failed connection attempts. The longest pause also limits how late the pool notices that
        /// the database is available again.
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))
    }

    enum Admission: Equatable {
        /// The caller gets this connection.
        case assign(slot: Int)
        /// The caller waits. `open` is the slot of a connection that must be opened for it.
        case wait(open: Int?)
        case refuse(Refusal)
    }

    enum Refusal {
        /// Too many callers are waiting already.
        case crowded
        /// The last connection attempt failed, no other connection exists, and the next attempt is not due yet.
        case unreachable
        /// The pool has been closed.
        case closed
    }

    /// The actions that are due.
    struct Due {
        /// Callers that have waited too long.
        var expired: [Waiter] = []
        /// Idle connections to close. Each counts as in use until `lost` is called.
        var surplus: [Int] = []
        /// Slots of connections to open.
        var open: [Int] = []
    }

    private enum Slot: Sendable {
        case empty
        case opening
        case idle(since: MonotonicInstant)
        case leased
    }

    private struct Waiting: Sendable {
        let waiter: Waiter
        let until: MonotonicInstant
    }

    let limits: Limits
    private var slots: [Slot]
    /// The slots of idle connections. The most recently used one is last, so the first ones expire first.
    private var idle: [Int] = []
    private var queue = Deque<Waiting>()
    private var failures = 0
    private var retry: MonotonicInstant?
    private(set) var isClosed = false

    init(limits: Limits) {
        self.limits = limits
        slots = Array(repeating: .empty, count: max(1, limits.connections))
    }

    var waiting: Int { queue.count }
    var openCount: Int { slots.count { if case .empty = $0 { false } else { true } } }
    var leasedCount: Int { slots.count { if case .leased = $0 { true } else { false } } }
    private var openingCount: Int { slots.count { if case .opening = $0 { true } else { false } } }

    /// Requests a connection for a caller that waits until `until` at most.
    mutating func request(_ waiter: Waiter, until: MonotonicInstant, now: MonotonicInstant) -> Admission {
        guard !isClosed else { return .refuse(.closed) }
        if let slot = idle.popLast() {
            slots[slot] = .leased
            return .assign(slot: slot)
        }
        guard queue.count < limits.waiters else { return .refuse(.crowded) }
        if let retry, now < retry, openCount == 0 { return .refuse(.unreachable) }
        queue.append(Waiting(waiter: waiter, until: min(until, now + limits.wait)))
        return .wait(open: nextOpening(now: now))
    }

    /// Marks a connection as opened, or as no longer needed by its user. It goes to the caller that has waited longest.
    ///
    /// - Returns: The connection's next user, or `nil` if it is now idle.
    mutating func ready(_ slot: Int, now: MonotonicInstant) -> Waiter? {
        if case .opening = slots[slot] {
            failures = 0
            retry = nil
        }
        guard let next = queue.popFirst() else {
            slots[slot] = .idle(since: now)
            idle.append(slot)
            return nil
        }
        slots[slot] = .leased
        return next.waiter
    }

    /// Records the end of a connection.
    ///
    /// - Returns: The slot of a connection to open in its place, if a caller is waiting.
    mutating func lost(_ slot: Int, now: MonotonicInstant) -> Int? {
        slots[slot] = .empty
        idle.removeAll { $0 == slot }
        return nextOpening(now: now)
    }

    /// Puts a caller back at the front of the queue, because its connection was lost before it was used.
    mutating func putBack(_ waiter: Waiter, until: MonotonicInstant, now: MonotonicInstant) {
        queue.prepend(Waiting(waiter: waiter, until: min(until, now + limits.wait)))
    }

    /// Records a failed connection attempt.
    ///
    /// - Parameter chance: A random number from 0 to 1. It varies the pause, so that several processes do not retry
    ///   together.
    /// - Returns: The callers to fail: all waiting callers if no other connection exists, otherwise none.
    mutating func openingFailed(_ slot: Int, now: MonotonicInstant, chance: Double) -> [Waiter] {
        slots[slot] = .empty
        failures += 1
        retry = now + limits.backoff.pause(afterFailures: failures, chance: chance)
        return openCount == 0 ? emptyQueue() : []
    }

    /// Removes a caller from the queue. Returns false if the caller was not waiting.
    mutating func withdraw(_ waiter: Waiter) -> Bool {
        guard let index = queue.firstIndex(where: { $0.waiter === waiter }) else { return false }
        queue.remove(at: index)
        return true
    }

    private mutating func emptyQueue() -> [Waiter] {
        defer { queue.removeAll() }
        return queue.map(\.waiter)
    }

    /// The actions that are due now.
    mutating func due(now: MonotonicInstant) -> Due {
        var due = Due()
        due.expired = queue.filter { $0.until <= now }.map(\.waiter)
        if !due.expired.isEmpty { queue.removeAll { $0.until <= now } }
        while let oldest = idle.first, case .idle(let since) = slots[oldest], since + limits.idle <= now {
            idle.removeFirst()
            slots[oldest] = .leased
            due.surplus.append(oldest)
        }
        while let slot = nextOpening(now: now) { due.open.append(slot) }
        return due
    }

    /// The time of the next action, or `nil` if no action is pending.
    var nextDue: MonotonicInstant? {
        var moments: [MonotonicInstant] = []
        if let first = queue.lazy.map(\.until).min() { moments.append(first) }
        if let oldest = idle.first, case .idle(let since) = slots[oldest] { moments.append(since + limits.idle) }
        if let retry, !queue.isEmpty { moments.append(retry) }
        return moments.min()
    }

    /// Closes the pool. Connections in use can finish.
    ///
    /// - Returns: The waiting callers, and the idle connections. These connections count as in use until `lost` is
    ///   called.
    mutating func close() -> (waiters: [Waiter], idle: [Int]) {
        isClosed = true
        let closing = idle
        idle = []
        for slot in closing { slots[slot] = .leased }
        return (emptyQueue(), closing)
    }

    /// Returns a slot in which to open a connection, or `nil`. A connection is needed if more callers wait than
    /// connections are being opened, and if the limit and the back-off allow it.
    private mutating func nextOpening(now: MonotonicInstant) -> Int? {
        guard !isClosed, queue.count > openingCount else { return nil }
        if let retry, now < retry { return nil }
        let free = slots.firstIndex { if case .empty = $0 { true } else { false } }
        if let free { slots[free] = .opening }
        return free
    }
}
