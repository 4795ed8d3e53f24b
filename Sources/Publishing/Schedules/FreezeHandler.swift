public import FoundationEssentials
public import Storage

/// Adds an event when a freeze ends.
public struct FreezeHandler: JobHandler {
    private let store: Store

    /// Creates a handler for a store.
    public init(store: Store) {
        self.store = store
    }

    /// Adds the event. Throws `JobLost` if another worker has the job or the freeze was lifted.
    public func handle(_ job: Job) async throws {
        try await store.write(as: job.organization, by: .system) { try $0.recordEnd(of: ID(job.key), job) }
    }

    /// Schedules the next attempt. The freeze itself has ended anyway.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        try tenant.postpone(job, until: next, cause: cause)
    }

    /// Parks the job.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        try tenant.park(job, cause: cause)
    }
}
