public import Logging
import Metrics
import Postgres
public import ServiceLifecycle
public import Storage

/// Measures how long the oldest due job has waited for a worker, for the operator's alerts. It also runs in the API's
/// process, because a stopped worker cannot report.
public struct JobDelay: Service {
    /// The interval between measurements.
    static let interval = Duration.seconds(15)

    private let store: Store
    private let logger: Logger
    private let seconds = Gauge(label: "waymark_jobs_overdue_seconds")

    /// Creates a service that measures the delay of a store's jobs.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Measures until the service shuts down. Does not log that the database is unavailable, because other code logs
    /// it.
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

    /// Measures and records the delay. It is zero if no job is due.
    func look() async throws {
        let until = try await store.read { try $0.nextJobDue() } ?? .zero
        seconds.record(max(.zero, .zero - until) / .seconds(1))
    }
}
