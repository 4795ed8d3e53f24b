public import FoundationEssentials
public import Storage

/// What knows how to carry out the jobs of one kind. A ``JobWorker`` claims them, holds them meanwhile, and decides what
/// becomes of those that fail.
public protocol JobCarrier: Sendable {
    /// Carries a job out. Each transaction with an effect asks whether the job is still held, and the last one ends it
    /// (`Tenant.holds`, `Tenant.finish`). Cancelled when the worker has lost the job.
    func carryOut(_ job: Job) async throws

    /// Puts the job off (`Tenant.postpone`) and notes with what it is about why the attempt failed.
    func postpone(_ job: Job, until next: Date, cause: String, in tenant: Tenant) throws

    /// Gives the job up (`Tenant.park`) and ends what it is about.
    func giveUp(_ job: Job, cause: String, in tenant: Tenant) throws
}
