public import FoundationEssentials
public import Logging
public import Storage

/// Deletes organizations in batches, each in one transaction. First everyone loses access, then the hosts go out of
/// service, then all rows but the audit trail are deleted. A lost worker's job continues where it stopped.
///
/// A request that was accepted before the first step may still write. So the last pass runs ``quiet`` later.
public struct DeletionHandler: JobHandler {
    /// The maximum number of hosts or rows that are deleted in one transaction.
    static let batch = 500
    /// The time that a worker spends on one organization before it looks for other jobs.
    static let slice = Duration.seconds(1)
    /// The time between the last deleted row and the last pass. No request writes for longer: the longest limit is 60
    /// seconds.
    static let quiet = Duration.seconds(70)

    private let store: Store
    private let logger: Logger

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Deletes for the time of one slice. Throws `JobLost` if another worker has the job.
    public func handle(_ job: Job) async throws {
        let isFirst = try await store.write(as: job.organization, by: .system) { tenant in
            try tenant.advance(job)
            return try tenant.closeOrganization()
        }
        let end = ContinuousClock.now + Self.slice
        var isEmpty = false
        // The organization's first pass always finds something.
        var hasDeleted = isFirst
        repeat {
            try Task.checkCancellation()
            isEmpty = try await store.write(as: job.organization, by: .system) { tenant in
                try tenant.advance(job)
                return try tenant.deleteSome(limit: Self.batch)
            }
            hasDeleted = hasDeleted || !isEmpty
        } while !isEmpty && ContinuousClock.now < end
        guard isEmpty, !hasDeleted else { return try await putOff(job, by: isEmpty ? Self.quiet : nil) }
        try await store.write(as: job.organization, by: .system) { try $0.finish(job) }
        logger.info("An organization is deleted.", metadata: ["organization": "\(job.organization)"])
    }

    private func putOff(_ job: Job, by pause: Duration?) async throws {
        try await store.write(as: job.organization, by: .system) { tenant in
            try tenant.putOff(job, until: try pause.map { try tenant.clock().addingTimeInterval($0 / .seconds(1)) })
        }
    }

    /// Schedules the next attempt.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        try tenant.postpone(job, until: next, cause: cause)
    }

    /// Parks the job. Requesting the deletion again on the command line continues it.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        try tenant.park(job, cause: cause)
    }
}
