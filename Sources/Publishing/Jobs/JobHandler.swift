public import FoundationEssentials
public import Storage

/// Handles the jobs of one kind. A ``JobWorker`` claims the jobs, renews their leases, and handles failed attempts.
public protocol JobHandler: Sendable {
    /// Handles a job. Each transaction with an effect must check that the worker still holds the job
    /// (`TenantTransaction.holds`). The last one must end the job (`TenantTransaction.finish`). The task is cancelled
    /// if the worker loses the job.
    func handle(_ job: Job) async throws

    /// Schedules the next attempt (`TenantTransaction.postpone`), and records the cause of this failure.
    func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws

    /// Parks the job (`TenantTransaction.park`), and ends its object, such as a publication.
    func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws
}
