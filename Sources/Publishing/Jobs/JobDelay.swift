public import Logging
import Metrics
import Postgres
public import ServiceLifecycle
public import Storage

/// Measures how long the oldest due job has been waiting for a worker, for the operator's alerts. It also runs in the
/// API process, because a worker that is down cannot report anything.
public struct JobDelay: Service {
    /// The interval between measurements.
    static let interval = Duration.seconds(15)

    private let store: Store
    private let logger: Logger
    private let seconds = Gauge(label: "waymark_jobs_overdue_seconds")

    /// Creates a measurement for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Measures until the service shuts down. An unavailable database is not logged here, because other code logs it.
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

    /// Records the delay. It is zero if no job is due.
    func look() async throws {
        let until = try await store.read { try $0.nextJobDue() } ?? .zero
        seconds.record(max(.zero, .zero - until) / .seconds(1))
    }
}
