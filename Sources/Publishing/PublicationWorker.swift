import AASA
public import Logging
import Metrics
import Postgres
public import ServiceLifecycle
public import Storage

/// Carries out publications. Any number of workers may run, here and on other machines.
///
/// A worker claims a job with a lease, marks its publication as running, and makes the version live in one
/// transaction, in which it gives up the job by its token: a worker that was overtaken changes nothing.
public struct PublicationWorker: Service {
    /// How long a worker holds a job before another may take it.
    static let leaseSeconds = 10
    /// A job that has been claimed this often without an end has killed its workers.
    static let mostAttempts = 5
    /// How long a worker waits before it looks for a job that no hint told of.
    static let pollInterval = Duration.seconds(1)

    private let store: Store
    private let doorbell: Doorbell
    private let logger: Logger

    /// A worker; `doorbell` rings when there may be a job.
    public init(store: Store, doorbell: Doorbell, logger: Logger) {
        self.store = store
        self.doorbell = doorbell
        self.logger = logger
    }

    /// Works until the service is shut down. Errors are logged and never end it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let didWork = await workLogged()
                if !didWork { await doorbell.wait(atMost: Self.pollInterval) }
            }
        }
    }

    private func workLogged() async -> Bool {
        do {
            return try await workOnce()
        } catch is CancellationError {
            return false
        } catch let error as PostgresError where error.kind == .cancelled {
            return false
        } catch let error as PostgresError where error.isUnavailable {
            logger.warning(
                "The database cannot be asked for work; it will be asked again.", metadata: ["error": "\(error)"])
            return false
        } catch {
            logger.error(
                "A publication could not be carried out; it will be tried again.", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Carries out one job; false when none is due.
    func workOnce() async throws -> Bool {
        guard let job = try await store.write({ try $0.claimJob(leaseSeconds: Self.leaseSeconds) }) else {
            return false
        }
        FaultPoint.reach("publication.claimed")
        do {
            try await carryOut(job)
        } catch let error as PostgresError where !error.isUnavailable {
            try await store.write { try $0.postpone(job, seconds: 1 << min(job.attempts, 5)) }
            throw error
        }
        return true
    }

    func carryOut(_ job: Job) async throws {
        let isReady = try await store.write(as: job.organization, by: .system) { tenant in
            try begin(job, in: tenant)
        }
        FaultPoint.reach("publication.begun")
        guard isReady else { return }
        let publication = try await store.write(as: job.organization, by: .system) { tenant in
            let publication = try activate(job, in: tenant)
            FaultPoint.reach("publication.activating")
            return publication
        }
        FaultPoint.reach("publication.live")
        guard let publication else { return }
        Counter(label: "waymark_publications_total", dimensions: [("state", publication.state.rawValue)]).increment()
        logger.info(
            "A publication has ended.",
            metadata: [
                "host": "\(publication.host)", "version": "\(publication.version)", "state": "\(publication.state)",
                "cause": "\(publication.cause ?? "")",
            ])
    }

    /// False when there is nothing more to do.
    private func begin(_ job: Job, in tenant: Tenant) throws -> Bool {
        guard let publication = try tenant.lockedPublication(ID(job.key)), !publication.state.isEnding else {
            _ = try tenant.finish(job)
            return false
        }
        guard job.attempts <= Self.mostAttempts else {
            _ = try tenant.end(
                publication, as: .failed,
                cause: "given up after \(Self.mostAttempts) attempts; the worker's log says why they failed")
            _ = try tenant.finish(job)
            return false
        }
        try tenant.begin(publication)
        return true
    }

    /// The publication with its ending; `nil` when another act has ended it meanwhile.
    private func activate(_ job: Job, in tenant: Tenant) throws -> Publication? {
        guard let publication = try tenant.lockedPublication(ID(job.key)), publication.state == .running else {
            return nil
        }
        guard try tenant.finish(job) else { return nil }
        let version = try tenant.version(publication.version, of: publication.host)
        let file = try tenant.file(ofVersion: publication.version, of: publication.host)
        guard file.count == version.size, digest(file) == version.sha256, isWhole(file) else {
            return try tenant.end(publication, as: .failed, cause: "the frozen bytes are not what was frozen")
        }
        let expected: Tenant.Expectation = publication.overrides ? .anything : .activation(publication.madeAgainst)
        switch try tenant.activate(version, of: publication.host, expecting: expected) {
        case .done(let activation):
            return try tenant.end(publication, as: .live, activation: activation)
        case .moved(let current):
            return try tenant.end(
                publication, as: .suspended,
                cause: "what is live has moved to activation \(current.map(String.init) ?? "none") since it was made")
        case .unclaimed:
            return try tenant.end(
                publication, as: .suspended, cause: "the domain is no longer verified, or has become an alias")
        }
    }

    private func isWhole(_ file: [UInt8]) -> Bool { (try? Association(parsing: file)) != nil }
}
