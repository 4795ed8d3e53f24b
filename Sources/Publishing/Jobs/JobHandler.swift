public import FoundationEssentials
public import Storage

/// What knows how to carry out the jobs of one kind. A ``JobWorker`` claims them, holds them meanwhile, and decides what
/// becomes of those that fail.
public protocol JobHandler: Sendable {
    /// Carries a job out. Each transaction with an effect asks whether the job is still held, and the last one ends it
    /// (`TenantTransaction.holds`, `TenantTransaction.finish`). Cancelled when the worker has lost the job.
    func handle(_ job: Job) async throws

    /// Puts the job off (`TenantTransaction.postpone`) and notes with what it is about why the attempt failed.
    func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws

    /// Gives the job up (`TenantTransaction.park`) and ends what it is about.
    func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws
}
