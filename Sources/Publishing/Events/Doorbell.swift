import NIOConcurrencyHelpers
import ServiceLifecycle
import Timing

/// Wakes tasks that wait for work. A ring may be missed, so waiting tasks also check at intervals. If no task is
/// waiting, a ring wakes the next task that waits.
public final class Doorbell: Sendable {
    private struct State {
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
        var hasRung = false
        var rings = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a doorbell that has not rung.
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

    /// The number of rings since the doorbell was created.
    public var rings: Int { state.withLockedValue(\.rings) }

    /// Waits for a ring, at most for `duration`. Returns immediately if the task is cancelled or the service shuts
    /// down.
    ///
    /// - Parameter rings: The value of ``rings`` before the caller's last check. If the doorbell has rung since, the
    ///   call returns immediately, for any number of callers. Without this parameter, a ring while no task was waiting
    ///   ends only one wait.
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
