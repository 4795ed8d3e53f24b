import NIOConcurrencyHelpers
import ServiceLifecycle
import Timing

/// Waits for changes on behalf of many callers. One query serves all callers with the same key. It runs after each ring
/// of the doorbell, and also once a second, because a ring may be missed.
public final class Watch<Key: Hashable & Sendable, Item: Hashable & Sendable, Seen: Sendable>: Sendable {
    /// The maximum time between two queries.
    private static var interval: Duration { .seconds(1) }
    /// The minimum time between two queries, because many live versions may change in a short time.
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
    /// The waiting callers, by key. A task for each key runs its queries. The key stays here as long as the task runs.
    private let waiters = NIOLockedValueBox<[Key: [ObjectIdentifier: Waiter]]>([:])

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - doorbell: Rings when there may be a change.
    ///   - look: Queries the state of some items of a key.
    public init(doorbell: Doorbell, look: @escaping @Sendable (Key, Set<Item>) async throws -> Seen) {
        self.doorbell = doorbell
        self.look = look
    }

    /// Waits until `isOver` returns true for the queried state, the time is over, the task is cancelled or the service
    /// shuts down. Throws the query's errors.
    public func wait(
        for key: Key, _ item: Item, atMost duration: Duration, until isOver: @escaping @Sendable (Seen) -> Bool
    ) async throws {
        let waiter = Waiter(item: item, isOver: isOver)
        add(waiter, to: key)
        defer { waiters.withLockedValue { $0[key]?[ObjectIdentifier(waiter)] = nil } }
        // Check first, because a change before the caller starts to wait would be missed.
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
        if isFirst { Task { await poll(key) } }
    }

    /// Runs queries as long as callers are waiting.
    private func poll(_ key: Key) async {
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
