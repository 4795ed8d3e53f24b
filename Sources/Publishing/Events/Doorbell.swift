import NIOConcurrencyHelpers
import ServiceLifecycle
import Timing

/// Wakes the tasks that wait for work. A ring is a hint: waiting tasks also check from time to time. A ring while no
/// task waits is remembered once.
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

    /// Wakes all waiting tasks.
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

    /// Waits for a ring, for at most `duration`. Returns immediately when the task is cancelled or the service shuts
    /// down.
    ///
    /// - Parameter rings: the number of rings when the caller last checked. With it, each of several waiting tasks
    ///   notices a ring that came during its check. Without it, a remembered ring wakes only one of them.
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
