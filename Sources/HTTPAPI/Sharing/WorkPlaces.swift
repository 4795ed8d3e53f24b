import Metrics
import Synchronization

/// The places that requests need to be processed, one per database connection. ``WorkShares`` decides who gets one; this
/// type does the waiting.
final class WorkPlaces: Sendable {
    /// How long a request waits for a place.
    private static let patience = Duration.seconds(10)

    private enum Outcome {
        case entered
        case expired
        case cancelled
    }

    /// A request that waits for a place. The code that removes it from the queue sets the outcome.
    private final class Waiter: Sendable {
        private enum State {
            case new
            case waiting(CheckedContinuation<Outcome, Never>)
            case decided(Outcome)
        }

        private let state = Mutex(State.new)

        func outcome() async -> Outcome {
            await withCheckedContinuation { continuation in
                let decided: Outcome? = state.withLock { state in
                    if case .decided(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        }

        func decide(_ outcome: Outcome) {
            let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
                defer { state = .decided(outcome) }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            continuation?.resume(returning: outcome)
        }
    }

    private let shares: Mutex<WorkShares<Waiter>>
    private let refusals = Counter(label: "waymark_http_requests_refused_total")
    private let working = Gauge(label: "waymark_http_requests_working")
    private let waiting = Gauge(label: "waymark_http_requests_waiting")
    private let watching = Gauge(label: "waymark_http_requests_watching")

    init(count: Int) {
        shares = Mutex(WorkShares(limits: .init(places: count)))
    }

    /// Runs `body` in a place, and waits for the place first.
    /// - Throws: `too_many_requests` if too many requests wait, or no place became free in time.
    func work<Value>(
        for claimant: Claimant, _ body: () async throws -> Value
    ) async throws -> Value {
        try await enter(claimant)
        defer { leave(claimant) }
        return try await body()
    }

    /// Leaves the place while `body` waits for an event, then waits for a place again, without a time limit.
    func stepAside<Value>(from claimant: Claimant, _ body: () async throws -> Value) async throws -> Value {
        leave(claimant)
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await takeBack(claimant)
        return try result.get()
    }

    /// Counts the request as one that waits for an event (`wait`) until `body` ends.
    /// - Throws: `too_many_requests` if there are too many.
    func watch<Value>(for claimant: Claimant, _ body: () async throws -> Value) async throws -> Value {
        guard change({ $0.watch(claimant) }) else { throw refused(APIError.tooManyWatching) }
        defer { change { $0.unwatch(claimant) } }
        return try await body()
    }

    private func enter(_ claimant: Claimant) async throws {
        let waiter = Waiter()
        switch change({ $0.request(waiter, for: claimant) }) {
        case .enter: return
        case .refuse: throw refused(APIError.tooManyRequests)
        case .wait: break
        }
        let alarm = Task {
            try await Task.sleep(for: Self.patience)
            giveUp(waiter, of: claimant, .expired)
        }
        defer { alarm.cancel() }
        let outcome = await withTaskCancellationHandler {
            await waiter.outcome()
        } onCancel: {
            giveUp(waiter, of: claimant, .cancelled)
        }
        switch outcome {
        case .entered: return
        case .expired: throw refused(APIError.tooManyRequests)
        case .cancelled: throw CancellationError()
        }
    }

    /// Waits until the request has a place again: ``work(for:_:)`` leaves one at the end.
    private func takeBack(_ claimant: Claimant) async {
        let waiter = Waiter()
        if change({ $0.request(waiter, for: claimant, isReturning: true) }) == .wait { _ = await waiter.outcome() }
    }

    private func leave(_ claimant: Claimant) {
        for waiter in change({ $0.leave(claimant) }) { waiter.decide(.entered) }
    }

    private func giveUp(_ waiter: Waiter, of claimant: Claimant, _ outcome: Outcome) {
        if change({ $0.withdraw(waiter, of: claimant) }) { waiter.decide(outcome) }
    }

    private func change<Value>(_ body: (inout WorkShares<Waiter>) -> Value) -> Value {
        let (value, load) = shares.withLock { shares in
            (body(&shares), (working: shares.working, waiting: shares.waiting, watching: shares.watching))
        }
        working.record(load.working)
        waiting.record(load.waiting)
        watching.record(load.watching)
        return value
    }

    private func refused(_ problem: APIError) -> APIError {
        refusals.increment()
        return problem
    }
}
