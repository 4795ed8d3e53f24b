import AASA
public import FoundationEssentials
public import Logging
import Metrics
import Postgres
import Snapshot
public import Storage

/// Publishes the domains of scheduled runs. For each changed draft, one transaction publishes the domain and records
/// the outcome. So another worker can take over the run at any time.
public struct RunHandler: JobHandler {
    /// The number of domains after which the job returns to the queue, so that a long run does not delay other jobs.
    static let domainsAtATime = 50

    private let store: Store
    private let publisher: Publisher
    private let logger: Logger

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        publisher = Publisher(store: store)
        self.logger = logger
    }

    /// Publishes the next domains of the run. Ends the run after the last domain. Throws `JobLost` if another worker
    /// has the job or the schedule was deleted.
    public func handle(_ job: Job) async throws {
        ProcessFault.reach("run.claimed")
        let (run, settings, hosts, unchanged) = try await store.read(as: job.organization) { tenant in
            guard let run = try tenant.run(ID(job.key)) else { throw JobLost() }
            let hosts = try tenant.openHosts(of: run, limit: Self.domainsAtATime)
            let unchanged = Set(try tenant.unchanged(among: hosts))
            return (run, try tenant.schedule(run.schedule).settings, hosts, unchanged)
        }
        // Unchanged domains are recorded with the next changed domain, which saves a transaction for each.
        var passed = 0
        for host in hosts {
            if unchanged.contains(host) {
                passed += 1
            } else {
                try await process(host, of: run, after: passed, settings, job)
                passed = 0
                ProcessFault.reach("run.settled")
            }
        }
        let rest = passed
        try await store.write(as: job.organization, by: .system) { tenant in
            try tenant.advance(job)
            try tenant.addUnchanged(rest, in: run)
            if try tenant.openHosts(of: run, limit: 1).isEmpty {
                try tenant.finish(job)
                try tenant.end(run)
            } else {
                try tenant.putOff(job, until: nil)
            }
            ProcessFault.reach("run.ending")
        }
        count(.unchanged, rest)
    }

    /// Schedules an attempt for the rest of the run.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        try tenant.postpone(job, until: next, cause: cause)
    }

    /// Ends the run. Domains without an outcome get the outcome `failed`.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        try tenant.park(job, cause: cause)
        if let run = try tenant.run(ID(job.key)), run.state == .running { try tenant.end(run, failingRest: cause) }
    }

    private func process(
        _ host: Host, of run: ScheduleRun, after unchanged: Int, _ settings: Schedule.Settings, _ job: Job
    ) async throws {
        let author =
            run.kind == .manual ? run.requester : Author(kind: .system, name: "schedule \(settings.name)")
        do {
            try await note(host, of: run, after: unchanged, job, by: author) {
                try publish(host, settings.message, in: $0)
            }
        } catch let refusal as GateRefusal {
            try await note(host, of: run, after: unchanged, job, by: author) { _ in .refused(refusal.report.keptJSON) }
        } catch let error where error.concernsTheDomain {
            let cause = (error as? StorageError)?.asCause ?? "\(error)"
            try await note(host, of: run, after: unchanged, job, by: author) { _ in
                .failed(because: String(cause.prefix(1_000)))
            }
        }
    }

    /// Records an outcome, and the unchanged domains before it, in the same transaction as the effect. Does this only
    /// if this worker still holds the job.
    private func note(
        _ host: Host, of run: ScheduleRun, after unchanged: Int, _ job: Job, by author: Author,
        _ outcome: @escaping @Sendable (TenantTransaction) throws -> ScheduleOutcome.Kind
    ) async throws {
        let kind = try await store.write(as: job.organization, by: author, partOf: .run(run.id)) { tenant in
            let kind = try outcome(tenant)
            try tenant.advance(job)
            try tenant.addUnchanged(unchanged, in: run)
            try tenant.addOutcome(kind, of: host, in: run)
            return kind
        }
        count(.unchanged, unchanged)
        count(kind, 1)
    }

    private func count(_ kind: ScheduleOutcome.Kind, _ number: Int) {
        Counter(label: "waymark_schedule_outcomes_total", dimensions: [("outcome", kind.name)]).increment(by: number)
    }

    private func publish(_ host: Host, _ message: String, in tenant: TenantTransaction) throws -> ScheduleOutcome.Kind {
        let domain = try tenant.lockedDomain(host)
        guard domain.isDraftChanged else { return .unchanged }
        if domain.state == .withdrawn {
            return .failed(because: "it was withdrawn; publish it manually to bring it back")
        }
        if let freeze = domain.freeze { return .frozen(freeze.id, because: freeze.cause) }
        switch try publisher.publish(host, Publisher.Request(message: message), in: tenant) {
        case .made(let publication): return .published(publication.id)
        case .unchanged: return .unchanged
        }
    }
}

extension StorageError {
    /// A text that explains why a domain was not published.
    fileprivate var asCause: String? {
        switch self {
        case .isAlias(let target): "it is now an alias of \(target)"
        case .beingWithdrawn: "it is being withdrawn"
        case .tooManyPublications:
            "it has reached the limit of \(TenantTransaction.maximumPendingPublications) pending publications"
        case .notFound: "it no longer exists"
        default: nil
        }
    }
}

extension Error {
    /// True if the error concerns only this domain and would occur again. All other errors end the attempt: an
    /// unavailable database, a lost job, or a conflict with another change.
    fileprivate var concernsTheDomain: Bool {
        switch self {
        case is JobLost, is CancellationError: false
        case let error as PostgresError:
            error.kind != .cancelled && !error.isUnavailable && !["40P01", "40001", "55P03"].contains(error.sqlState)
        default: true
        }
    }
}
