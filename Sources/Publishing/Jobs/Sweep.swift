import Logging
import Postgres
import ServiceLifecycle
import Timing

/// Repeats work at intervals, such as a search for changed rows.
struct Sweep {
    /// The pause after errors.
    static let backoff = Backoff(first: .seconds(1), longest: .seconds(30))

    /// The log message for an error, such as "Drafts cannot be checked; this will be tried again."
    let failure: Logger.Message
    let logger: Logger

    /// Runs `work` repeatedly until the service shuts down. `work` gets the state that its previous run left, and
    /// returns the pause before the next run. Errors do not end the loop. Only the first of several errors in a row is
    /// logged. An unavailable database is not logged, because `JobWorker` logs it.
    func run<State: Sendable>(
        _ state: State, _ work: @escaping @Sendable (inout State) async throws -> Duration
    ) async {
        await cancelWhenGracefulShutdown {
            var state = state
            var failures = 0
            while !Task.isCancelled {
                let pause: Duration
                do {
                    pause = try await work(&state)
                    failures = 0
                } catch {
                    failures += 1
                    pause = Self.backoff.pause(afterFailures: failures)
                    if failures == 1, !Self.isExpected(error) { logger.error(failure, metadata: ["error": "\(error)"]) }
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    private static func isExpected(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return error is CancellationError }
        return error.isUnavailable || error.kind == .cancelled
    }
}
