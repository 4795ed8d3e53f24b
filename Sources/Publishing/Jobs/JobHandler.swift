public import FoundationEssentials
public import Storage

/// Handles the jobs of one kind. A ``JobWorker`` claims them, renews their leases, and decides about failed attempts.
public protocol JobHandler: Sendable {
    /// Handles a job. Each transaction with an effect checks that the worker still holds the job, and the last one ends
    /// the job (`TenantTransaction.holds`, `TenantTransaction.finish`). Cancelled when the worker has lost the job.
    func handle(_ job: Job) async throws

    /// Schedules the next attempt (`TenantTransaction.postpone`), and records why this one failed.
    func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws

    /// Parks the job (`TenantTransaction.park`), and ends what it is about.
    func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws
}
