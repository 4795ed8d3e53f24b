import NIOConcurrencyHelpers
import ServiceLifecycle
import Timing

/// Waits for changes on behalf of many callers: one query serves all callers with the same key. It queries after each
/// ring of the doorbell, and once a second, because a ring is only a hint.
public final class Watch<Key: Hashable & Sendable, Item: Hashable & Sendable, Seen: Sendable>: Sendable {
    /// The longest time between two queries.
    private static var interval: Duration { .seconds(1) }
    /// The shortest time between two queries. Many things may go live within it.
    private static var pause: Duration { .milliseconds(20) }

    /// A waiting caller.
    private final class Waiter: Sendable {
        private enum State {
            case new
            case waiting(CheckedContinuation<Void, any Error>)
            case over(Result<Void, any Error>)
        }

        let item: Item
        let isOver: @Sendable (Seen) -> Bool
        private let state = NIOLockedValueBox(State.new)

        init(item: Item, isOver: @escaping @Sendable (Seen) -> Bool) {
            self.item = item
            self.isOver = isOver
        }

        func wait() async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result: Result<Void, any Error>? = state.withLockedValue { state in
                        if case .over(let result) = state { return result }
                        state = .waiting(continuation)
                        return nil
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                end(.success(()))
            }
        }

        func end(_ result: Result<Void, any Error>) {
            let continuation: CheckedContinuation<Void, any Error>? = state.withLockedValue { state in
                switch state {
                case .over: return nil
                case .new: state = .over(result)
                case .waiting(let continuation):
                    state = .over(result)
                    return continuation
                }
                return nil
            }
            continuation?.resume(with: result)
        }
    }

    private let doorbell: Doorbell
    private let look: @Sendable (Key, Set<Item>) async throws -> Seen
    /// The waiting callers. Each key has a task that queries for it, even if no caller is left.
    private let waiters = NIOLockedValueBox<[Key: [ObjectIdentifier: Waiter]]>([:])

    /// A watch.
    ///
    /// - Parameters:
    ///   - doorbell: rings when there may be a change.
    ///   - look: queries the state of these items of a key.
    public init(doorbell: Doorbell, look: @escaping @Sendable (Key, Set<Item>) async throws -> Seen) {
        self.doorbell = doorbell
        self.look = look
    }

    /// Waits until `isOver` is true for the queried state, the time is over, the task is cancelled or the service shuts
    /// down. Throws the errors of a query.
    public func wait(
        for key: Key, _ item: Item, atMost duration: Duration, until isOver: @escaping @Sendable (Seen) -> Bool
    ) async throws {
        let waiter = Waiter(item: item, isOver: isOver)
        add(waiter, to: key)
        defer { waiters.withLockedValue { $0[key]?[ObjectIdentifier(waiter)] = nil } }
        // A change before it was among the waiting callers would go unnoticed.
        guard !isOver(try await look(key, [item])) else { return }
        try await cancelWhenGracefulShutdown {
            do {
                try await withTimeout(duration) { try await waiter.wait() }
            } catch is TimedOut {
            } catch is CancellationError {
            }
        }
    }

    private func add(_ waiter: Waiter, to key: Key) {
        let isFirst = waiters.withLockedValue { waiters in
            defer { waiters[key, default: [:]][ObjectIdentifier(waiter)] = waiter }
            return waiters[key] == nil
        }
        if isFirst { Task { await lookOn(key) } }
    }

    /// Queries while there are waiting callers.
    private func lookOn(_ key: Key) async {
        var rings = doorbell.rings
        while true {
            await doorbell.wait(past: rings, atMost: Self.interval)
            rings = doorbell.rings
            let waiting = waiters.withLockedValue { waiters in
                let waiting = Array((waiters[key] ?? [:]).values)
                if waiting.isEmpty { waiters[key] = nil }
                return waiting
            }
            guard !waiting.isEmpty else { return }
            do {
                let seen = try await look(key, Set(waiting.map(\.item)))
                for waiter in waiting where waiter.isOver(seen) { waiter.end(.success(())) }
            } catch {
                for waiter in waiting { waiter.end(.failure(error)) }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
