import NIOConcurrencyHelpers
import ServiceLifecycle
import Timing

/// Wakes those who wait for something to do. A ring is a hint, never the truth: who waits looks again after a while
/// anyway, and a ring while nobody waits is remembered once.
public final class Doorbell: Sendable {
    private struct State {
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
        var hasRung = false
        var rings = 0
    }

    private let state = NIOLockedValueBox(State())

    /// A doorbell that has not rung.
    public init() {}

    /// Wakes everyone who waits.
    public func ring() {
        let waiters = state.withLockedValue { state in
            defer { state.waiters = [:] }
            state.rings += 1
            if state.waiters.isEmpty { state.hasRung = true }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// How often it has rung.
    public var rings: Int { state.withLockedValue(\.rings) }

    /// Waits for a ring, but at most for `duration`; ends at once when the task is cancelled or the service shuts down.
    ///
    /// - Parameter rings: how often it had rung when the caller looked last: of several who wait, each learns in this way of
    ///   a ring while it looks. Without it, a ring that is remembered wakes one of them.
    public func wait(past rings: Int? = nil, atMost duration: Duration) async {
        await cancelWhenGracefulShutdown {
            try? await withTimeout(duration) { await self.waitForRing(past: rings) }
        }
    }

    private func waitForRing(past rings: Int?) async {
        let waiter = state.withLockedValue { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLockedValue { state in
                    if Task.isCancelled { return true }
                    if rings.map({ $0 != state.rings }) ?? state.hasRung {
                        state.hasRung = false
                        return true
                    }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLockedValue { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}
