import AASA
public import FoundationEssentials
public import Logging
import Metrics
import Postgres
import Snapshot
public import Storage

/// Processes releases. It judges their domains in batches. If all domains have passed, it saves the versions. At the
/// due time, it makes all versions live in one transaction.
///
/// Each batch is a transaction that checks that the worker still holds the job. If another worker takes over, finished
/// batches are not repeated. Each batch resets the number of attempts. After ``slice``, the job returns to the queue,
/// so that other jobs can run.
public struct ReleaseHandler: JobHandler {
    /// The number of domains that are judged or saved in one transaction.
    static let batch = 250
    /// The time that a worker spends on one release before it looks for other jobs.
    static let slice = Duration.seconds(1)
    /// The time limit for making a release live. A release with ``Release/maximumDomains`` needs about a third of it.
    static let activationDeadline = Duration.seconds(30)

    private let store: Store
    private let logger: Logger
    private let activationDeadline: Duration

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.init(store: store, logger: logger, activationDeadline: Self.activationDeadline)
    }

    init(store: Store, logger: Logger, activationDeadline: Duration) {
        self.store = store
        self.logger = logger
        self.activationDeadline = activationDeadline
    }

    private enum Progress {
        case continues
        case waits(until: Date)
        case ended(Release)
    }

    /// Processes the release for the time of one slice. Throws `JobLost` if another worker has the job or the release
    /// was cancelled.
    public func handle(_ job: Job) async throws {
        ProcessFault.reach("release.claimed")
        let end = ContinuousClock.now + Self.slice
        while true {
            switch try await step(job) {
            case .continues:
                if ContinuousClock.now < end { continue }
                return try await putOff(job, until: nil)
            case .waits(let due):
                return try await putOff(job, until: due)
            case .ended(let release):
                return tell(of: release)
            }
        }
    }

    /// Records the cause of the failed attempt.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        let release = try tenant.lockedRelease(ID(job.key))
        try tenant.postpone(job, until: next, cause: cause)
        if let release, !release.state.isEnding { try tenant.postpone(release, until: next, cause: cause) }
    }

    /// Ends the release as `failed`. None of its versions goes live.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        let release = try tenant.lockedRelease(ID(job.key))
        try tenant.park(job, cause: cause)
        if let release, !release.state.isEnding { tell(of: try tenant.end(release, as: .failed, cause: cause)) }
    }

    private func step(_ job: Job) async throws -> Progress {
        let id = ID<Release>(job.key)
        let release = try await store.read(as: job.organization) { try $0.release(id) }
        switch release.state {
        case .judging where release.counts[.waiting] != nil: return try await judge(release, job)
        case .judging: return try await freeze(job)
        case .scheduled, .running: return try await goLive(release, job)
        default: throw JobLost()
        }
    }

    private func judge(_ release: Release, _ job: Job) async throws -> Progress {
        let (candidates, registered) = try await store.read(as: job.organization) { tenant in
            var candidates = try tenant.candidates(of: release.id, limit: Self.batch)
            let files = candidates.map { HostFile($0.host, $0.draftSHA256) }
            let needs = release.rollsBack == nil ? try tenant.approvalNeeds(of: files, for: release.requester) : [:]
            for (index, file) in zip(candidates.indices, files) { candidates[index].approval = needs[file] }
            return (candidates, try tenant.registered(among: Array(Set(candidates.flatMap(\.draft.draft.apps)))))
        }
        let judge = ReleaseJudge(
            overrides: release.overrides, bypassesApproval: release.bypassesApproval, bringsBack: release.label == nil)
        let verdicts = await judge.judge(candidates, registered: registered)
        try Task.checkCancellation()
        try await store.write(as: job.organization, by: .system, partOf: .release(release.id)) { tenant in
            try tenant.record(verdicts, of: pending(job, in: tenant))
            try tenant.advance(job)
            ProcessFault.reach("release.judging")
        }
        ProcessFault.reach("release.judged")
        return .continues
    }

    /// Saves the versions of the next batch of a judged release, or ends the release.
    private func freeze(_ job: Job) async throws -> Progress {
        let progress = try await store.write(
            as: job.organization, by: .system, partOf: .release(ID(job.key))
        ) { tenant -> Progress in
            let hosts = try tenant.lockNextToFreeze(of: ID(job.key), limit: Self.batch)
            let release = try pending(job, in: tenant)
            let refused = release.counts[.refused] ?? 0
            if refused > 0 {
                return .ended(
                    try tenant.end(
                        release, as: .refused,
                        cause: "\(refused) of \(release.counts.values.reduce(0, +)) domains failed their checks"))
            }
            if release.counts[.passed] == nil, release.counts[.frozen] == nil {
                let cause =
                    release.rollsBack == nil
                    ? "no domain has changes" : "no domain had another version live before the release"
                return .ended(try tenant.end(release, as: .unchanged, cause: cause))
            }
            if release.isDryRun { return .ended(try tenant.end(release, as: .judged)) }
            guard release.counts[.passed] != nil else {
                try tenant.advance(release, to: .scheduled)
                return .continues
            }
            try tenant.freeze(hosts, of: release)
            try tenant.advance(job)
            ProcessFault.reach("release.freezing")
            return .continues
        }
        ProcessFault.reach("release.frozen")
        return progress
    }

    private func goLive(_ release: Release, _ job: Job) async throws -> Progress {
        if let due = release.dueAt, try await store.read(as: job.organization, { try $0.clock() }) < due {
            return .waits(until: due)
        }
        try await store.write(as: job.organization, by: .system) { tenant in
            try tenant.advance(pending(job, in: tenant), to: .running)
        }
        ProcessFault.reach("release.begun")
        do {
            return .ended(try await activate(release, job))
        } catch is FreezeBegun {
            return .continues
        } catch let error as PostgresError where error.kind == .deadline {
            // As an error of the database, it would not count as an attempt: the release would be tried again without
            // end, and would block all other work.
            throw ActivationTooSlow(limit: activationDeadline)
        }
    }

    private func activate(_ release: Release, _ job: Job) async throws -> Release {
        let ended = try await store.write(
            as: job.organization, by: .system, deadline: activationDeadline, partOf: .release(release.id)
        ) { tenant in
            // Lock the domains first, as all code does that changes live versions. Lock the job's row last, so that its
            // lease can be renewed until then. Meanwhile, the lock on the release's row stops other workers.
            try tenant.lockDomains(of: release.id)
            guard let release = try tenant.lockedRelease(release.id), release.state == .running else { throw JobLost() }
            ProcessFault.reach("release.activating")
            let ended = try tenant.activate(release) { try tenant.finish(job) }
            ProcessFault.reach("release.activated")
            return ended
        }
        ProcessFault.reach("release.live")
        return ended
    }

    private func putOff(_ job: Job, until due: Date?) async throws {
        try await store.write(as: job.organization, by: .system) { try $0.putOff(job, until: due) }
    }

    /// Returns the release if this worker still holds its job. Throws `JobLost` if another worker has the job, or if
    /// the release has already ended.
    private func pending(_ job: Job, in tenant: TenantTransaction) throws -> Release {
        guard let release = try tenant.lockedRelease(ID(job.key)), try tenant.holds(job) else { throw JobLost() }
        return release
    }

    private func tell(of release: Release) {
        Counter(label: "waymark_releases_total", dimensions: [("state", release.state.rawValue)]).increment()
        logger.info(
            "A release has ended.",
            metadata: [
                "release": "\(release.id)", "state": "\(release.state)",
                "domains": "\(release.counts.values.reduce(0, +))", "cause": "\(release.cause ?? "")",
            ])
    }
}

/// The error if a release could not be made live within its time limit.
private struct ActivationTooSlow: Error, CustomStringConvertible {
    let limit: Duration
    var description: String { "the activation took longer than \(limit)" }
}
