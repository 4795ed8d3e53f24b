import AASA
public import FoundationEssentials
public import Logging
import Metrics
import Snapshot
public import Storage

/// Processes replacements in batches. It edits each draft, generates and judges its file, and saves the draft. If a
/// user has edited the draft meanwhile, the handler does not overwrite it, but processes it again later.
///
/// Each batch is one transaction that checks that the worker still holds the job, so no draft is changed twice. Each
/// batch resets the number of attempts, so the replacement completes even if workers are lost repeatedly. After
/// ``slice``, the job returns to the queue, so that other jobs can run.
public struct ReplacementHandler: JobHandler {
    /// The number of drafts that are changed in one transaction.
    static let batch = 500
    /// The time that a worker spends on one replacement before it looks for other jobs.
    static let slice = Duration.seconds(1)

    private let store: Store
    private let logger: Logger

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Processes the replacement for the time of one slice. Throws `JobLost` if another worker has the job.
    public func handle(_ job: Job) async throws {
        ProcessFault.reach("replacement.claimed")
        let end = ContinuousClock.now + Self.slice
        let replacement = try await store.read(as: job.organization) { try $0.replacement(ID(job.key)) }
        guard replacement.state == .running else { throw JobLost() }
        var batch = Batch()
        repeat {
            if batch.drafts.isEmpty {
                // Start again with the drafts that users edited during the last pass.
                batch = try await nextBatch(of: replacement, after: nil, job)
                if batch.drafts.isEmpty { return tell(of: try await finish(replacement, job)) }
            }
            let last = batch.last
            // Prepare the next batch while this one is being saved.
            async let following = nextBatch(of: replacement, after: last, job)
            try await write(batch.drafts, of: replacement, job)
            batch = try await following
        } while ContinuousClock.now < end
        try await store.write(as: job.organization, by: .system) { try $0.putOff(job, until: nil) }
    }

    /// Records the cause of the failed attempt.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        let replacement = try tenant.lockedReplacement(ID(job.key))
        try tenant.postpone(job, until: next, cause: cause)
        if let replacement, replacement.state == .running {
            try tenant.postpone(replacement, until: next, cause: cause)
        }
    }

    /// Ends the replacement as `failed`. Drafts that were already changed stay changed.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        let replacement = try tenant.lockedReplacement(ID(job.key))
        try tenant.park(job, cause: cause)
        if let replacement, replacement.state == .running {
            tell(of: try tenant.end(replacement, as: .failed, cause: cause))
        }
    }

    /// Some changed drafts, and the last host of the batch in alphabetical order.
    private struct Batch {
        var drafts: [ReplacedDraft] = []
        var last: Host?
    }

    /// Computes the changed drafts of the next waiting domains.
    private func nextBatch(of replacement: Replacement, after host: Host?, _ job: Job) async throws -> Batch {
        let (candidates, registered) = try await store.read(as: job.organization) { tenant in
            let candidates = try tenant.candidates(of: replacement.id, after: host, limit: Self.batch)
            let apps = Set(candidates.flatMap(\.draft.draft.apps) + [replacement.replacement.description])
            return (candidates, try tenant.registered(among: Array(apps)))
        }
        return Batch(drafts: await replaced(candidates, replacement, registered), last: candidates.last?.host)
    }

    private func write(_ drafts: [ReplacedDraft], of replacement: Replacement, _ job: Job) async throws {
        ProcessFault.reach("replacement.judged")
        try Task.checkCancellation()
        try await store.write(as: job.organization, by: .system, partOf: .replacement(replacement.id)) { tenant in
            try tenant.lock(drafts.map(\.host))
            try tenant.advance(job)
            try tenant.write(drafts, of: replacement)
            ProcessFault.reach("replacement.writing")
        }
        ProcessFault.reach("replacement.written")
    }

    private func finish(_ replacement: Replacement, _ job: Job) async throws -> Replacement {
        try await store.write(as: job.organization, by: .system) { tenant in
            guard let last = try tenant.lockedReplacement(replacement.id), try tenant.holds(job) else {
                throw JobLost()
            }
            return try tenant.end(last, as: .done)
        }
    }

    private func replaced(
        _ candidates: [DomainCandidate], _ replacement: Replacement, _ registered: Set<AppID>
    ) async -> [ReplacedDraft] {
        let judge = ReleaseJudge(overrides: false)
        let share = 64
        return await withTaskGroup(of: [ReplacedDraft].self) { group in
            for start in stride(from: 0, to: candidates.count, by: share) {
                let some = candidates[start..<min(start + share, candidates.count)]
                group.addTask { some.map { draft($0, replacement, judge, registered) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func draft(
        _ candidate: DomainCandidate, _ replacement: Replacement, _ judge: ReleaseJudge, _ registered: Set<AppID>
    ) -> ReplacedDraft {
        let (changed, places) = candidate.replaced(by: replacement)
        let verdict = judge.judge(changed, registered: registered)
        // An alias cannot publish its draft, so faults that the gate finds in it do not matter.
        return ReplacedDraft(
            host: candidate.host, seenRevision: candidate.draft.revision, draft: places > 0 ? changed.draft.draft : nil,
            file: verdict.file, failures: candidate.isAlias ? [] : verdict.failures)
    }

    private func tell(of replacement: Replacement) {
        Counter(label: "waymark_replacements_total", dimensions: [("state", replacement.state.rawValue)]).increment()
        logger.info(
            "A replacement has ended.",
            metadata: [
                "app": "\(replacement.app)", "with": "\(replacement.replacement)", "state": "\(replacement.state)",
                "changed": "\(replacement.changed)", "refused": "\(replacement.refused)",
            ])
    }
}
