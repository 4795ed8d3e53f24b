public import Logging
public import ServiceLifecycle
public import Storage

/// Deletes expired idempotency keys with their kept answers. Any number of cleaners can run, on any machines.
public struct IdempotencyCleaner: Service {
    /// The time between two passes through all organizations.
    static let interval = Duration.seconds(600)

    private let store: Store
    private let logger: Logger

    /// Creates a cleaner for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Runs until the service shuts down. Errors do not end it.
    public func run() async throws {
        await Sweep(failure: "Expired idempotency keys cannot be deleted; this will be tried again.", logger: logger)
            .run(()) { _ in
                try await cleanAll()
                return Self.interval
            }
    }

    /// Deletes the expired keys of all organizations and accounts.
    func cleanAll() async throws {
        while try await store.write({ try $0.forgetIdempotencyKeys() }) {}
        var last: ID<Organization>?
        repeat {
            let organizations = try await store.read { [last] in try $0.organizations(after: last, limit: 1_000) }
            for organization in organizations {
                while try await store.write(as: organization, by: .system, { try $0.forgetIdempotencyKeys() }) {}
            }
            last = organizations.last
        } while last != nil
    }
}
