import Hex
public import Logging
import Postgres
public import ServiceLifecycle
public import Snapshot
public import Storage
import Synchronization

/// Seals audit trails: adds signed checkpoints to them. Any number of sealers can run, in all processes that have the
/// signing key. A checkpoint's digest is logged, so that a log that is kept elsewhere also proves what the trail was.
public final class AuditSealer: Service {
    /// The time between two checkpoints of an organization, at least.
    static let interval = Duration.seconds(60)

    private let store: Store
    private let key: Mutex<SigningKey>
    private let logger: Logger

    /// Creates a sealer for a store.
    public init(store: Store, key: SigningKey, logger: Logger) {
        self.store = store
        self.key = Mutex(key)
        self.logger = logger
    }

    /// Sets the key for future checkpoints.
    public func sign(with key: SigningKey) {
        self.key.withLock { $0 = key }
    }

    /// Runs until the service shuts down. Errors do not end it.
    public func run() async throws {
        await Sweep(failure: "Audit trails cannot be sealed; this will be tried again.", logger: logger)
            .run(()) { _ in
                try await self.sealAll()
                return Self.interval
            }
    }

    /// Seals all trails that have entries without a checkpoint.
    func sealAll() async throws {
        var last: ID<Organization>?
        repeat {
            let organizations = try await store.read { [last] in try $0.organizationsWithUnsealedTrails(after: last) }
            for organization in organizations { while try await seal(organization) {} }
            last = organizations.last
        } while last != nil
    }

    /// Adds one checkpoint to an organization's trail, if it has entries without one. It covers
    /// ``TenantTransaction/maximumEntriesSealedAtOnce`` entries at most.
    ///
    /// - Returns: False if all entries have a checkpoint already.
    @discardableResult
    public func seal(_ organization: ID<Organization>) async throws -> Bool {
        let key = key.withLock { $0 }
        let made = try await store.write(as: organization, by: .system) { tenant in
            try tenant.sealTrail { message in (key.verificationKey.id, try key.signature(for: message[...])) }
        }
        guard let made else { return false }
        logger.info(
            "The audit trail is sealed.",
            metadata: [
                "organization": "\(organization)", "position": "\(made.chain.position)",
                "digest": "\(Hexadecimal.encode(made.chain.digest))",
            ])
        return true
    }
}
