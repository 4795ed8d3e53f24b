import DequeModule
import Timing

/// The pool's decisions, without threads, sockets or clocks: who gets which connection, who waits, who is turned away,
/// when to open and when to close. Whoever calls it carries the decisions out.
///
/// Connections are slots, numbered from 0 to the limit. Waiters are served in the order of their arrival.
struct PoolState<Waiter: AnyObject> {
    struct Limits {
        var connections: Int
        var waiters: Int
        var wait: Duration
        var idle: Duration
        /// Between failed attempts to connect. Its limit bounds how long the database's return may go unnoticed.
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))
    }

    enum Admission: Equatable {
        /// It has this connection.
        case assign(slot: Int)
        /// It waits; `open` is the slot of a connection to be opened for it.
        case wait(open: Int?)
        case refuse(Refusal)
    }

    enum Refusal {
        /// Too many wait already.
        case crowded
        /// The last attempt to connect failed, there is no connection, and the next attempt is not due.
        case unreachable
        /// The pool has been closed.
        case closed
    }

    /// What the passing of time has brought.
    struct Due {
        /// They have waited too long.
        var expired: [Waiter] = []
        /// Idle connections to be closed; each is the caller's until `lost`.
        var surplus: [Int] = []
        /// Slots of connections to be opened.
        var open: [Int] = []
    }

    private enum Slot {
        case empty
        case opening
        case idle(since: MonotonicInstant)
        case leased
    }

    private struct Waiting {
        let waiter: Waiter
        let until: MonotonicInstant
    }

    let limits: Limits
    private var slots: [Slot]
    /// The most recently used last: those not needed come to the front and grow old.
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

    /// A caller wants a connection; `until` is the end of its patience.
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

    /// A connection has been opened, or its user is done with it: it goes to the one who has waited longest.
    ///
    /// - Returns: its next user; nil when it is idle now.
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

    /// A connection is no more.
    ///
    /// - Returns: the slot of one to be opened in its place, if someone waits.
    mutating func lost(_ slot: Int, now: MonotonicInstant) -> Int? {
        slots[slot] = .empty
        idle.removeAll { $0 == slot }
        return nextOpening(now: now)
    }

    /// A connection that had just been given away turns out to be no more: its user waits again, before all others.
    mutating func putBack(_ waiter: Waiter, until: MonotonicInstant, now: MonotonicInstant) {
        queue.prepend(Waiting(waiter: waiter, until: min(until, now + limits.wait)))
    }

    /// An attempt to connect has failed.
    ///
    /// - Parameter chance: 0 to 1; spreads the attempts of several processes.
    /// - Returns: those who wait in vain: all of them when there is no other connection they could get.
    mutating func openingFailed(_ slot: Int, now: MonotonicInstant, chance: Double) -> [Waiter] {
        slots[slot] = .empty
        failures += 1
        retry = now + limits.backoff.pause(afterFailures: failures, chance: chance)
        return openCount == 0 ? emptyQueue() : []
    }

    /// A waiter gives up.
    ///
    /// - Returns: false when it does not wait (any more).
    mutating func withdraw(_ waiter: Waiter) -> Bool {
        guard let index = queue.firstIndex(where: { $0.waiter === waiter }) else { return false }
        queue.remove(at: index)
        return true
    }

    private mutating func emptyQueue() -> [Waiter] {
        defer { queue.removeAll() }
        return queue.map(\.waiter)
    }

    /// What is due at this moment.
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

    /// The moment of the next thing to become due; nil when there is none.
    var nextDue: MonotonicInstant? {
        var moments: [MonotonicInstant] = []
        if let first = queue.lazy.map(\.until).min() { moments.append(first) }
        if let oldest = idle.first, case .idle(let since) = slots[oldest] { moments.append(since + limits.idle) }
        if let retry, !queue.isEmpty { moments.append(retry) }
        return moments.min()
    }

    /// Ends the pool. Connections in use are let finish.
    ///
    /// - Returns: those who wait, and the idle connections, which are the caller's until `lost`.
    mutating func close() -> (waiters: [Waiter], idle: [Int]) {
        isClosed = true
        let closing = idle
        idle = []
        for slot in closing { slots[slot] = .leased }
        return (emptyQueue(), closing)
    }

    /// One connection more while more wait than are being opened, the limit allows it, and no back-off forbids it.
    private mutating func nextOpening(now: MonotonicInstant) -> Int? {
        guard !isClosed, queue.count > openingCount else { return nil }
        if let retry, now < retry { return nil }
        let free = slots.firstIndex { if case .empty = $0 { true } else { false } }
        if let free { slots[free] = .opening }
        return free
    }
}
