public import Logging
import Metrics
import Postgres
public import ServiceLifecycle
public import Storage

/// Reports for how long the job that has been due longest has waited for a worker, for the operator's alarms. It also
/// runs with the API, because a worker that is down reports nothing.
public struct JobDelay: Service {
    /// How often it is measured.
    static let interval = Duration.seconds(15)

    private let store: Store
    private let logger: Logger
    private let seconds = Gauge(label: "waymark_jobs_overdue_seconds")

    /// A measurement over a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Measures until the service is shut down. An unavailable database is not logged here, because others log it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await look()
                } catch let error as PostgresError where error.isUnavailable || error.kind == .cancelled {
                } catch is CancellationError {
                } catch {
                    logger.error("What waits for workers cannot be looked at.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Records the delay; zero if no job is due.
    func look() async throws {
        let until = try await store.read { try $0.nextJobDue() } ?? .zero
        seconds.record(max(.zero, .zero - until) / .seconds(1))
    }
}
