import FoundationEssentials
public import Logging
import Postgres
public import ServiceLifecycle
import Snapshot
public import Storage

/// Numbers events soon after they are committed, so that readers rarely need to. Any number of placers can run, on any
/// machines. If one fails, the others continue. If a reader needs an event that has no number yet, the reader numbers
/// it (``EventFeed``).
public struct EventPlacer: Service {
    /// The time between two checks.
    static let interval = Duration.milliseconds(250)
    private static let failure: Logger.Message = "Events cannot be numbered; this will be tried again."

    private let store: Store
    private let logger: Logger
    private let placed: @Sendable (ID<Organization>) -> Void

    /// Creates a placer for a store.
    ///
    /// - Parameter placed: Called with an organization after its events were numbered, by this placer or by readers.
    public init(
        store: Store, logger: Logger, placed: @escaping @Sendable (ID<Organization>) -> Void = { _ in }
    ) {
        self.store = store
        self.logger = logger
        self.placed = placed
    }

    /// Runs until the service shuts down. Errors do not end it. For each organization, only the first of several errors
    /// in a row is logged.
    public func run() async throws {
        await Sweep(failure: Self.failure, logger: logger).run(Set<ID<Organization>>()) { failing in
            let errors = try await placeAll()
            for (organization, error) in errors where !failing.contains(organization) {
                logger.error(Self.failure, metadata: ["organization": "\(organization)", "error": "\(error)"])
            }
            failing = Set(errors.keys)
            return Self.interval
        }
    }

    /// Numbers all committed events. Each round numbers up to ``TenantTransaction/maximumEventsPlacedAtOnce`` events of
    /// each organization, so an organization with many events does not delay others.
    ///
    /// - Returns: The errors, by organization. An organization with an error is skipped in further rounds.
    @discardableResult
    func placeAll() async throws -> [ID<Organization>: any Error] {
        var errors: [ID<Organization>: any Error] = [:]
        var hasMore = true
        while hasMore {
            hasMore = false
            var last: ID<Organization>?
            repeat {
                let organizations = try await store.read { [last] system in
                    try system.organizationsWithUnplacedEvents(after: last)
                }
                for organization in organizations where errors[organization] == nil {
                    do {
                        if try await place(organization) { hasMore = true }
                    } catch let error where error.concernsOneOrganization {
                        errors[organization] = error
                    }
                }
                last = organizations.last
            } while last != nil
        }
        return errors
    }

    /// Numbers some events of the organization. Returns true if more may need a number.
    private func place(_ organization: ID<Organization>) async throws -> Bool {
        let hasMore = try await store.write(as: organization, by: .system) { tenant in
            let hasMore = try tenant.placeNotedEvents()
            ProcessFault.reach("events.placing")
            return hasMore
        }
        ProcessFault.reach("events.placed")
        placed(organization)
        return hasMore
    }
}

extension Error {
    /// True if the error concerns only one organization. A lost connection or a shutdown concerns all of them.
    var concernsOneOrganization: Bool {
        guard let error = self as? PostgresError else { return !(self is CancellationError) }
        guard case .server = error.kind else { return false }
        return true
    }
}
