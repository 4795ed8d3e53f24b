public import FoundationEssentials
public import Storage

/// Handles the jobs of one kind. A ``JobWorker`` claims the jobs, renews their leases, and handles failed attempts.
public protocol JobHandler: Sendable {
    /// Handles a job. Each transaction that changes something must check that the worker still holds the job
    /// (`TenantTransaction.holds`). The last one must end the job (`TenantTransaction.finish`). If the worker loses the
    /// job, the task is cancelled.
    func handle(_ job: Job) async throws

    /// Schedules the next attempt (`TenantTransaction.postpone`), and records the cause of the failed one.
    func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws

    /// Parks the job (`TenantTransaction.park`), and ends its object, such as a publication, in a final state.
    func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws
}
