public import FoundationEssentials
public import Storage

/// Tells of freezes that end by themselves, so that whoever follows the events need not watch the clock.
public struct FreezeHandler: JobHandler {
    private let store: Store

    /// A handler over a store.
    public init(store: Store) {
        self.store = store
    }

    /// Leaves the event. Throws `JobLost` when another worker has the job, or somebody has lifted the freeze.
    public func handle(_ job: Job) async throws {
        try await store.write(as: job.organization, by: .system) { try $0.tellEnd(of: ID(job.key), job) }
    }

    /// Puts it off. The freeze has ended all the same.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        try tenant.postpone(job, until: next, cause: cause)
    }

    /// Gives it up.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        try tenant.park(job, cause: cause)
    }
}
