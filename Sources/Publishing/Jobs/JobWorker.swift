import FoundationEssentials
public import Logging
import Metrics
import NIOConcurrencyHelpers
import Postgres
public import ServiceLifecycle
public import Storage
import Timing

/// Runs jobs. Any number of workers can run, on any machines. There is no leader.
///
/// A worker claims a job with a lease by the database's clock, and renews the lease while it works. One transaction
/// both changes the job's object and ends the job, and only if the worker's token still matches. So a worker that has
/// lost a job changes nothing. Jobs of different organizations alternate.
public struct JobWorker: Service {
    /// The duration of a worker's lease on a job, in seconds.
    static let leaseSeconds = 10
    /// The number of attempts after which a job is parked.
    public static let maximumAttempts = 5
    /// The pause between attempts of a job: about 2, 6, 18 and 54 seconds, varied by up to half.
    static let backoff = Backoff(first: .seconds(2), longest: .seconds(54), factor: 3, jitter: 0.5...1.5)
    /// The interval between checks for jobs if the doorbell does not ring.
    static let pollInterval = Duration.seconds(1)
    /// The recorded cause of a failed attempt if its worker was lost.
    static let workerLost = "its worker was lost during the attempt"

    private let store: Store
    private let handlers: [Job.Kind: any JobHandler]
    private let doorbell: Doorbell
    private let logger: Logger
    private let leaseSeconds: Int
    private let threads: WorkThreads?
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The organization of the last job. The next job is taken from the organizations after it. Each worker starts
        /// with a random one.
        var turn = ID<Organization>()
        /// The time when parked jobs were last counted.
        var countedAt: ContinuousClock.Instant?
    }

    /// Creates a worker for the kinds of jobs that have a handler. `doorbell` rings when there may be a job. The jobs
    /// run on `threads`.
    public init(
        store: Store, handlers: [Job.Kind: any JobHandler], doorbell: Doorbell, logger: Logger, threads: WorkThreads
    ) {
        self.init(
            store: store, handlers: handlers, doorbell: doorbell, logger: logger, leaseSeconds: Self.leaseSeconds,
            threads: threads)
    }

    init(
        store: Store, handlers: [Job.Kind: any JobHandler], doorbell: Doorbell, logger: Logger, leaseSeconds: Int,
        threads: WorkThreads? = nil
    ) {
        self.store = store
        self.handlers = handlers
        self.doorbell = doorbell
        self.logger = logger
        self.leaseSeconds = leaseSeconds
        self.threads = threads
    }

    /// Runs until the service shuts down. Errors are logged and do not end it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let pause = await workLogged()
                if pause > .zero { await doorbell.wait(atMost: pause) }
            }
        }
    }

    /// Tries to run a job. Returns the time to wait before the next try. Logs errors.
    private func workLogged() async -> Duration {
        do {
            if try await workOnce() { return .zero }
            return try await untilNextJob()
        } catch is CancellationError {
        } catch let error as PostgresError where error.kind == .cancelled {
        } catch let error as PostgresError where error.isUnavailable {
            logger.warning(
                "The database cannot be asked for work; it will be asked again.", metadata: ["error": "\(error)"])
        } catch {
            logger.error("No work can be had; it will be asked for again.", metadata: ["error": "\(error)"])
        }
        return Self.pollInterval
    }

    /// Runs one job. Returns false if none is due.
    func workOnce() async throws -> Bool {
        try await countParked()
        let (kinds, turn) = (Array(handlers.keys), state.withLockedValue { $0.turn })
        let claimed = try await store.write { [leaseSeconds] installation in
            try installation.claimJob(of: kinds, after: turn, leaseSeconds: leaseSeconds)
        }
        guard let job = claimed, let handler = handlers[job.kind] else { return false }
        state.withLockedValue { $0.turn = job.organization }
        let outcome = await handle(job, by: handler)
        Counter(
            label: "waymark_jobs_total", dimensions: [("kind", job.kind.rawValue), ("outcome", outcome.rawValue)]
        ).increment()
        if outcome == .parked { try await countParked(atOnce: true) }
        return true
    }

    /// The time until the next job is due, but not more than the poll interval. If a due job could not be claimed,
    /// another worker is claiming it.
    private func untilNextJob() async throws -> Duration {
        let kinds = Array(handlers.keys)
        let due = try await store.read { try $0.nextJobDue(of: kinds) }
        return min(max(due ?? Self.pollInterval, .milliseconds(10)), Self.pollInterval)
    }

    private enum Outcome: String {
        case done, postponed, parked, lost
        case givenBack = "given_back"
    }

    private func handle(_ job: Job, by handler: any JobHandler) async -> Outcome {
        guard job.attempts <= Self.maximumAttempts else { return await fail(job, Self.workerLost, handler) }
        do {
            // The lease is renewed on other threads, so busy work threads do not delay it.
            try await lease(job).holding { [threads] in
                try await withTaskExecutorPreference(threads) { try await handler.handle(job) }
            }
            return .done
        } catch is JobLost {
            logger.warning(
                "A job is no longer this worker's: another has claimed it, or it is over.",
                metadata: ["job": "\(job.id)", "key": "\(job.key)"])
            return .lost
        } catch let error where error.isUnrelatedToJob {
            logger.warning("A job is given back.", metadata: ["job": "\(job.id)", "error": "\(error)"])
            return await giveBack(job)
        } catch {
            logger.error(
                "An attempt at a job has failed.",
                metadata: ["job": "\(job.id)", "key": "\(job.key)", "attempt": "\(job.attempts)", "error": "\(error)"])
            return await fail(job, "\(error)", handler)
        }
    }

    private func lease(_ job: Job) -> Lease {
        Lease(seconds: leaseSeconds, lost: JobLost()) { [store, leaseSeconds] in
            try await store.write { try $0.renew(job, leaseSeconds: leaseSeconds) }
        }
    }

    /// Schedules the next attempt, or parks the job. If the database cannot do this, the lease expires, and a worker
    /// claims the job again.
    private func fail(_ job: Job, _ why: String, _ handler: any JobHandler) async -> Outcome {
        let why = String(why.prefix(1_000))
        let cause = "given up after \(Self.maximumAttempts) attempts; the last one failed: \(why)"
        return await unlessLost(job) {
            // The job may have made progress since it was claimed, which resets the number of attempts.
            let attempts = try await store.read(as: job.organization) { try $0.attempts(at: job) }
            guard attempts >= Self.maximumAttempts else {
                let pause = Self.backoff.pause(afterFailures: attempts) / .seconds(1)
                try await store.write(as: job.organization, by: .system) { tenant in
                    try handler.postpone(job, until: tenant.clock().addingTimeInterval(pause), cause: why, in: tenant)
                }
                return .postponed
            }
            do {
                try await store.write(as: job.organization, by: .system) {
                    try handler.giveUp(job, cause: cause, in: $0)
                }
            } catch let error where !(error is JobLost) && !error.isUnrelatedToJob {
                // The job's object cannot be ended. Park the job, so that it is not repeated forever.
                try await store.write(as: job.organization, by: .system) { try $0.park(job, cause: cause) }
            }
            return .parked
        }
    }

    /// Gives the job back, so that the next worker does not need to wait until the lease expires. This also runs if the
    /// task was cancelled because the service shuts down.
    private func giveBack(_ job: Job) async -> Outcome {
        let pause = Task.isCancelled ? 0 : Self.backoff.pause(afterFailures: 1) / .seconds(1)
        return await Task {
            await unlessLost(job) {
                try await store.write { try $0.giveBack(job, seconds: pause) }
                return .givenBack
            }
        }.value
    }

    private func unlessLost(_ job: Job, _ body: () async throws -> Outcome) async -> Outcome {
        do {
            return try await body()
        } catch {
            logger.warning(
                "What became of a job cannot be written; it is claimed again when its lease is over.",
                metadata: ["job": "\(job.id)", "error": "\(error)"])
            return .lost
        }
    }

    /// Counts parked jobs, for the operator's alerts.
    private func countParked(atOnce: Bool = false) async throws {
        let now = ContinuousClock.now
        let isDue = state.withLockedValue { state in
            guard atOnce || state.countedAt.map({ now - $0 > .seconds(15) }) ?? true else { return false }
            state.countedAt = now
            return true
        }
        guard isDue else { return }
        Gauge(label: "waymark_jobs_parked").record(try await store.read { try $0.parkedJobCount() })
    }
}

extension Error {
    /// True if the error is not the job's fault: the database is unavailable or the task was cancelled. A statement
    /// that exceeded its time limit counts as the job's fault, because it may always take that long.
    fileprivate var isUnrelatedToJob: Bool {
        switch self {
        case is CancellationError: true
        case let error as PostgresError:
            error.kind == .cancelled || (error.isUnavailable && error.sqlState != "57014")
        default: false
        }
    }
}
