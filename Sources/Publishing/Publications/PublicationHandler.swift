import AASA
public import FoundationEssentials
public import Logging
import Metrics
import Snapshot
public import Storage

/// Makes publications live, each in two transactions. The first marks the publication as running. The second makes its
/// version live.
public struct PublicationHandler: JobHandler {
    private let store: Store
    private let logger: Logger

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Makes the publication's version live, or ends the publication in another state. Throws `JobLost` if another
    /// worker has the job or the publication has already ended.
    public func handle(_ job: Job) async throws {
        ProcessFault.reach("publication.claimed")
        try await store.write(as: job.organization, by: .system) { try begin(job, in: $0) }
        ProcessFault.reach("publication.begun")
        let ended = try await store.write(as: job.organization, by: .system) { tenant in
            let publication = try activate(job, in: tenant)
            ProcessFault.reach("publication.activating")
            return publication
        }
        ProcessFault.reach("publication.live")
        tell(of: ended)
    }

    /// Records the cause of the failed attempt, and when the next one is due.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        let publication = try tenant.lockedPublication(ID(job.key))
        try tenant.postpone(job, until: next, cause: cause)
        if let publication, !publication.state.isEnding {
            try tenant.postpone(publication, until: next, attempt: job.attempts, cause: cause)
        }
    }

    /// Ends the publication as `failed`.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        let publication = try tenant.lockedPublication(ID(job.key))
        try tenant.park(job, cause: cause)
        if let publication, !publication.state.isEnding {
            tell(of: try tenant.end(publication, as: .failed, cause: cause))
        }
    }

    private func begin(_ job: Job, in tenant: TenantTransaction) throws {
        try tenant.begin(pending(job, in: tenant), attempt: job.attempts)
    }

    /// Returns the publication if this worker still holds its job. Throws `JobLost` if another worker has the job, or
    /// if the publication has already ended.
    private func pending(_ job: Job, in tenant: TenantTransaction) throws -> Publication {
        let publication = try tenant.lockedPublication(ID(job.key))
        guard let publication, try tenant.holds(job) else { throw JobLost() }
        return publication
    }

    /// Makes the version live, and returns the publication in its final state.
    private func activate(_ job: Job, in tenant: TenantTransaction) throws -> Publication {
        let publication = try pending(job, in: tenant)
        try tenant.finish(job)
        if try publication.dueAt != nil || tenant.isOfRun(publication.id),
            let freeze = try tenant.freeze(covering: publication.host)
        {
            return try tenant.end(publication, as: .suspended, cause: freeze.cause)
        }
        let version = try tenant.version(publication.version, of: publication.host)
        let file = try tenant.file(ofVersion: publication.version, of: publication.host)
        guard file.count == version.size, digest(file) == version.sha256, isWhole(file) else {
            return try tenant.end(publication, as: .failed, cause: "the saved bytes do not match their digest")
        }
        if let need = try tenant.lackingApproval(of: publication, version.sha256) {
            return try tenant.end(publication, as: .suspended, cause: need.cause)
        }
        let expected: TenantTransaction.Expectation =
            publication.overrides ? .anything : .activation(publication.madeAgainst)
        switch try tenant.activate(version, of: publication.host, expecting: expected) {
        case .done(let activation):
            return try tenant.end(publication, as: .live, activation: activation)
        case .moved(let current):
            return try tenant.end(publication, as: .suspended, cause: cause(ofMoveTo: current))
        case .unclaimed:
            return try tenant.end(
                publication, as: .suspended, cause: "the domain is no longer verified or has become an alias")
        }
    }

    private func cause(ofMoveTo current: Int64?) -> String {
        let what = current.map { "another version went live after it was created, under activation \($0)" }
        return (what ?? "the version it was based on is no longer live") + "; publish it again if you still want it"
    }

    private func isWhole(_ file: [UInt8]) -> Bool { (try? Association(parsing: file)) != nil }

    private func tell(of publication: Publication) {
        Counter(label: "waymark_publications_total", dimensions: [("state", publication.state.rawValue)]).increment()
        if publication.state == .live, let end = publication.endedAt {
            let seconds = end.timeIntervalSince(publication.dueAt ?? publication.createdAt)
            Metrics.Timer(label: "waymark_publication_duration_seconds").recordSeconds(max(0, seconds))
        }
        logger.info(
            "A publication has ended.",
            metadata: [
                "host": "\(publication.host)", "version": "\(publication.version)", "state": "\(publication.state)",
                "cause": "\(publication.cause ?? "")",
            ])
    }
}
