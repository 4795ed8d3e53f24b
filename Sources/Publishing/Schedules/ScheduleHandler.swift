public import FoundationEssentials
public import Logging
import Metrics
import Snapshot
public import Storage

/// Creates the runs of schedules. A schedule's job repeats indefinitely. Each attempt is one transaction that creates a
/// run for a due time that has passed, and sets the next due time.
public struct ScheduleHandler: JobHandler {
    private let store: Store
    private let logger: Logger

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Handles due times that have passed. Throws `JobLost` if another worker has the job, or if the schedule was
    /// changed, paused or deleted.
    public func handle(_ job: Job) async throws {
        ProcessFault.reach("schedule.claimed")
        let decision: MissedRuns.Decision
        do {
            decision = try await store.write(as: job.organization, by: .system) { tenant in
                let decision = try look(at: held(job, in: tenant), job, in: tenant)
                ProcessFault.reach("schedule.looking")
                return decision
            }
        } catch StorageError.unknownZone(let zone) {
            let reason = "PostgreSQL no longer knows the time zone \(zone)"
            decision = .suspend(because: reason)
            try await store.write(as: job.organization, by: .system) { tenant in
                try suspend(held(job, in: tenant), because: reason, job, in: tenant)
            }
        }
        ProcessFault.reach("schedule.looked")
        tell(decision, job)
    }

    /// Schedules the next attempt.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        _ = try tenant.lockedSchedule(ID(job.key))
        try tenant.postpone(job, until: next, cause: cause)
    }

    /// Suspends the schedule.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        let schedule = try tenant.lockedSchedule(ID(job.key))
        try tenant.park(job, cause: cause)
        guard let schedule else { return }
        try tenant.suspend(schedule, because: cause)
        countSuspended()
    }

    private func held(_ job: Job, in tenant: TenantTransaction) throws -> Schedule {
        guard let schedule = try tenant.lockedSchedule(ID(job.key)), try tenant.holds(job) else { throw JobLost() }
        return schedule
    }

    private func suspend(_ schedule: Schedule, because reason: String, _ job: Job, in tenant: TenantTransaction) throws
    {
        try tenant.finish(job)
        try tenant.suspend(schedule, because: reason)
    }

    private func look(at schedule: Schedule, _ job: Job, in tenant: TenantTransaction) throws -> MissedRuns.Decision {
        let now = try tenant.clock()
        let times = try tenant.dueTimes(of: schedule, until: now)
        let decision = MissedRuns(catchUpSeconds: schedule.settings.catchUpSeconds).decide(about: times.come, at: now)
        switch decision {
        case .wait: break
        case .run(let dueAt, let kind, let missed):
            _ = try tenant.createRun(of: schedule, dueAt: dueAt, kind: kind, missed: missed)
        case .suspend(let reason):
            try suspend(schedule, because: reason, job, in: tenant)
            return decision
        }
        try tenant.reschedule(schedule, after: times, at: now, job)
        return decision
    }

    private func tell(_ decision: MissedRuns.Decision, _ job: Job) {
        switch decision {
        case .wait: break
        case .run(let dueAt, let kind, let missed):
            Counter(label: "waymark_schedule_runs_total", dimensions: [("kind", kind.rawValue)]).increment()
            logger.info(
                "A schedule runs.",
                metadata: [
                    "schedule": "\(ID<Schedule>(job.key))", "dueAt": "\(dueAt)", "kind": "\(kind)",
                    "missed": "\(missed.count)",
                ])
        case .suspend(let reason):
            countSuspended()
            logger.warning(
                "A schedule is suspended.",
                metadata: ["schedule": "\(ID<Schedule>(job.key))", "reason": "\(reason)"])
        }
    }

    private func countSuspended() {
        Counter(label: "waymark_schedules_suspended_total").increment()
    }
}
