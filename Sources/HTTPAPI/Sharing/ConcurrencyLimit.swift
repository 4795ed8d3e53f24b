import Metrics
import Synchronization

/// The slots for handling requests, one per database connection. ``FairQueue`` decides which request gets a slot. This
/// type makes the others wait.
final class ConcurrencyLimit: Sendable {
    /// The maximum time that a request waits for a slot. A request may be refused later by up to ``checks``.
    private static let patience = Duration.seconds(10)
    /// The interval at which waiting requests are checked. One task checks all of them, because a timer for each would
    /// cost more than most requests.
    private static let checks = Duration.milliseconds(250)

    private enum Outcome {
        case entered
        case expired
        case cancelled
    }

    /// A request that waits for a slot. The code that removes it from the queue sets its outcome.
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

    /// A waiting request, and the time when it is refused.
    private struct Patience {
        let waiter: Waiter
        let claimant: Claimant
        let end: ContinuousClock.Instant
    }

    private struct Waiting {
        var requests: [ObjectIdentifier: Patience] = [:]
        /// True if a task checks the waiting requests.
        var areChecked = false
    }

    private let queue: Mutex<FairQueue<Waiter>>
    private let patient = Mutex(Waiting())
    private let refusals = Counter(label: "waymark_http_requests_refused_total")
    private let working = Gauge(label: "waymark_http_requests_working")
    private let waiting = Gauge(label: "waymark_http_requests_waiting")
    private let watching = Gauge(label: "waymark_http_requests_watching")

    private let areShown: Bool

    /// - Parameter areShown: True if the gauges show the use of these slots.
    init(count: Int, areShown: Bool = true) {
        queue = Mutex(FairQueue(limits: .init(slots: count)))
        self.areShown = areShown
    }

    /// Waits for a slot and then runs `body`.
    /// - Throws: `too_many_requests` if too many requests wait, or if no slot became free in time.
    func work<Value>(
        for claimant: Claimant, _ body: () async throws -> Value
    ) async throws -> Value {
        try await enter(claimant)
        defer { leave(claimant) }
        return try await body()
    }

    /// Gives up the slot while `body` waits for an event. Then waits for a slot again, without a time limit.
    func stepAside<Value>(from claimant: Claimant, _ body: () async throws -> Value) async throws -> Value {
        leave(claimant)
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await enterAgain(claimant)
        return try result.get()
    }

    /// Counts the request as waiting for an event (`wait`) until `body` returns.
    /// - Throws: `too_many_requests` if too many requests wait for events.
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
        limitPatience(of: waiter, claimant)
        defer { patient.withLock { _ = $0.requests.removeValue(forKey: ObjectIdentifier(waiter)) } }
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

    private func limitPatience(of waiter: Waiter, _ claimant: Claimant) {
        let patience = Patience(waiter: waiter, claimant: claimant, end: .now + Self.patience)
        let isFirst = patient.withLock { waiting in
            defer { waiting.areChecked = true }
            waiting.requests[ObjectIdentifier(waiter)] = patience
            return !waiting.areChecked
        }
        if isFirst { Task { await checkPatience() } }
    }

    /// Refuses requests that have waited too long. Ends when no request is waiting.
    private func checkPatience() async {
        while true {
            try? await Task.sleep(for: Self.checks)
            let late: [Patience]? = patient.withLock { waiting in
                waiting.areChecked = !waiting.requests.isEmpty
                guard waiting.areChecked else { return nil }
                let now = ContinuousClock.now
                return waiting.requests.values.filter { $0.end <= now }
            }
            guard let late else { return }
            for request in late { giveUp(request.waiter, of: request.claimant, .expired) }
        }
    }

    /// Waits until the request has a slot again. ``work(for:_:)`` frees this slot at the end.
    private func enterAgain(_ claimant: Claimant) async {
        let waiter = Waiter()
        if change({ $0.request(waiter, for: claimant, isReturning: true) }) == .wait { _ = await waiter.outcome() }
    }

    private func leave(_ claimant: Claimant) {
        for waiter in change({ $0.leave(claimant) }) { waiter.decide(.entered) }
    }

    private func giveUp(_ waiter: Waiter, of claimant: Claimant, _ outcome: Outcome) {
        if change({ $0.withdraw(waiter, of: claimant) }) { waiter.decide(outcome) }
    }

    private func change<Value>(_ body: (inout FairQueue<Waiter>) -> Value) -> Value {
        let (value, load) = queue.withLock { queue in
            (body(&queue), (working: queue.working, waiting: queue.waiting, watching: queue.watching))
        }
        guard areShown else { return value }
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
