import FoundationEssentials
public import Logging
import Postgres
public import ServiceLifecycle
import Snapshot
public import Storage

/// Gives events their places as they come, so that readers find them placed. Any number may run, here and on other
/// machines: none leads, and one that dies leaves what it was doing to the others. Readers that are ahead of it place the
/// few events that have come since (``EventFeed``).
public struct EventPlacer: Service {
    /// The time between two looks.
    static let interval = Duration.milliseconds(250)

    private let store: Store
    private let logger: Logger

    /// A placer over a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Works until the service is shut down. Errors are logged and never end it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await placeAll()
                } catch is CancellationError {
                } catch let error as PostgresError where error.kind == .cancelled {
                } catch {
                    logger.warning("Events got no places; this will be tried again.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Places what has been committed, organizations in turn, each a few thousand events at a time.
    func placeAll() async throws {
        var organizations = try await store.read { try $0.organizationsWithUnplacedEvents() }
        while !organizations.isEmpty {
            var unfinished: [ID<Organization>] = []
            for organization in organizations {
                let hasMore = try await store.write(as: organization, by: .system) { tenant in
                    let hasMore = try tenant.placeNotedEvents()
                    ProcessFault.reach("events.placing")
                    return hasMore
                }
                ProcessFault.reach("events.placed")
                if hasMore { unfinished.append(organization) }
            }
            organizations = unfinished
        }
    }
}
