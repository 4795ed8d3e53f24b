import Metrics
import Synchronization

/// The places at which requests are worked on, as many as there are connections to the database: ``WorkShares`` decides,
/// and here is waited.
final class WorkPlaces: Sendable {
    /// How long a request waits for a place.
    private static let patience = Duration.seconds(10)

    private enum Outcome {
        case entered
        case expired
        case cancelled
    }

    /// A request that waits for a place. Whoever takes it out of the queue tells it why.
    private final class Waiter: Sendable {
        private enum State {
            case new
            case waiting(CheckedContinuation<Outcome, Never>)
            case told(Outcome)
        }

        private let state = Mutex(State.new)

        func outcome() async -> Outcome {
            await withCheckedContinuation { continuation in
                let told: Outcome? = state.withLock { state in
                    if case .told(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let told { continuation.resume(returning: told) }
            }
        }

        func tell(_ outcome: Outcome) {
            let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
                defer { state = .told(outcome) }
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

    /// Waits for a place, works there, and leaves it. Throws `too_many_requests` where too many wait, or none became free.
    func work<Value>(
        for claimant: Claimant, _ body: () async throws -> Value
    ) async throws -> Value {
        try await enter(claimant)
        defer { leave(claimant) }
        return try await body()
    }

    /// Leaves a place while `body` waits for something to happen, and comes back to one, however long that takes.
    func stepAside<Value>(from claimant: Claimant, _ body: () async throws -> Value) async throws -> Value {
        leave(claimant)
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await takeBack(claimant)
        return try result.get()
    }

    /// Counts a request among those that watch for something to happen, until `body` ends. Throws `too_many_requests`.
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

    /// The place has to be had again, because whoever stepped aside leaves it at the end.
    private func takeBack(_ claimant: Claimant) async {
        let waiter = Waiter()
        if change({ $0.request(waiter, for: claimant, isReturning: true) }) == .wait { _ = await waiter.outcome() }
    }

    private func leave(_ claimant: Claimant) {
        for waiter in change({ $0.leave(claimant) }) { waiter.tell(.entered) }
    }

    private func giveUp(_ waiter: Waiter, of claimant: Claimant, _ outcome: Outcome) {
        if change({ $0.withdraw(waiter, of: claimant) }) { waiter.tell(outcome) }
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
