import Logging
import Postgres
import ServiceLifecycle
import Timing

/// Work that a process does again and again, such as looking for rows that have changed.
struct Sweep {
    /// The time after errors.
    static let backoff = Backoff(first: .seconds(1), longest: .seconds(30))

    /// What the log says after an error, such as "Drafts cannot be checked; this will be tried again."
    let failure: Logger.Message
    let logger: Logger

    /// Runs `work` until the service is shut down, with the pause that it returns between two runs. It gets what it left
    /// in `state` the time before. Errors never end it. Only the first of several errors in a row is logged, and an
    /// unavailable database is not: the worker of the jobs logs it.
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
