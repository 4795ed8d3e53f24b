public import FoundationEssentials
import Postgres

/// A job that a worker holds until its lease ends.
public struct Job: Hashable, Sendable {
    /// The kind of a job.
    public enum Kind: String, CaseIterable, Sendable {
        /// Makes the publication with this key live.
        case publish
        /// Carries out the withdrawal with this key.
        case withdraw
        /// Creates the due runs of the schedule with this key.
        case schedule
        /// Publishes the domains of the run with this key.
        case run
        /// Judges the release with this key, saves its versions, and makes them live.
        case release
        /// Changes the drafts of the replacement with this key.
        case replace
        /// Records the end of the freeze with this key.
        case freeze
        /// Deletes the organization.
        case delete
    }

    /// The job's number.
    public let id: Int64
    /// The job's organization.
    public let organization: ID<Organization>
    /// The kind of job.
    public let kind: Kind
    /// The ID of its object, such as a publication.
    public let key: UUID
    /// A number that increases with every claim of the job. A worker with a smaller number has lost the job.
    public let token: Int64
    /// The number of times that the job was claimed since its last progress, including the current claim. Claims that
    /// were given back do not count.
    public let attempts: Int

    init(row: Row) throws {
        id = try row.decode("id", as: Int64.self)
        organization = try row.id("organization_id")
        kind = try row.value("kind", Kind.init(rawValue:))
        key = try row.decode("key", as: UUID.self)
        token = try row.decode("token", as: Int64.self)
        attempts = try row.decode("attempts", as: Int.self)
    }
}

/// The job was deleted, or another worker has claimed it. The transaction has changed nothing.
public struct JobLost: Error, Hashable, Sendable {
    /// Creates the error.
    public init() {}
}

extension SystemTransaction {
    /// Claims a due job.
    ///
    /// If a worker was lost, its job comes first, because the job has already waited once. Otherwise one job of each
    /// organization is claimed after another, in the order of the organizations' IDs, starting after `turn`. For each
    /// organization, this is the job that has been due longest. The lease uses the database's clock.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of jobs that the worker can handle.
    ///   - turn: The organization of the previous job. If `nil`, starts with the first organization.
    /// - Returns: The job, or `nil` if no job is due or other workers are claiming all due jobs.
    public func claimJob(
        of kinds: [Job.Kind] = Job.Kind.allCases, after turn: ID<Organization>? = nil, leaseSeconds: Int
    ) throws -> Job? {
        if let job = try claimLostJob(of: kinds, leaseSeconds) { return job }
        let turnCondition: SQL? = turn.map { "and organization_id > \($0.uuid)" }
        if let turnCondition, let job = try claimJob(of: kinds, leaseSeconds, turnCondition) { return job }
        return try claimJob(of: kinds, leaseSeconds, "")
    }

    // Claims a job whose worker was lost. Such a job has been started, and has no cause; a job that failed has one. It
    // is claimed when its lease ends. In the ordinary order, it would wait for all other due jobs first.
    private func claimLostJob(of kinds: [Job.Kind], _ leaseSeconds: Int) throws -> Job? {
        try claim(
            """
            select id from jobs
            where parked_at is null and attempts > 0 and cause is null and due_at <= statement_timestamp()
              and kind = any(\(kinds.map(\.rawValue)))
            order by due_at
            limit 1
            for update skip locked
            """, leaseSeconds)
    }

    // `statement_timestamp()` is stable, so it can be an index condition; `clock_timestamp()` cannot. PostgreSQL
    // evaluates the first line of the condition once, with the index on the due time. If no job is due, it reads
    // nothing else.
    private func claimJob(of kinds: [Job.Kind], _ leaseSeconds: Int, _ turnCondition: SQL) throws -> Job? {
        try claim(
            """
            select id from jobs
            where (select due_at from jobs where parked_at is null order by due_at limit 1) <= statement_timestamp()
              and parked_at is null and due_at <= statement_timestamp()
              and kind = any(\(kinds.map(\.rawValue))) \(fragment: turnCondition)
            order by organization_id, due_at, id
            limit 1
            for update skip locked
            """, leaseSeconds)
    }

    private func claim(_ next: SQL, _ leaseSeconds: Int) throws -> Job? {
        try database.first(
            """
            with next as (\(fragment: next))
            update jobs
            set due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer), token = token + 1,
              attempts = attempts + 1, cause = null
            from next
            where jobs.id = next.id
            returning jobs.id, jobs.organization_id, jobs.kind, jobs.key, jobs.token, jobs.attempts
            """
        ).map(Job.init(row:))
    }

    /// The time until the next job is due, including held jobs, by the database's clock. It is zero or negative if a
    /// job is due, and `nil` if there is no job.
    public func nextJobDue(of kinds: [Job.Kind] = Job.Kind.allCases) throws -> Duration? {
        try database.first(
            """
            select (extract(epoch from due_at - clock_timestamp()) * 1000)::bigint as milliseconds
            from jobs
            where parked_at is null and kind = any(\(kinds.map(\.rawValue)))
            order by due_at
            limit 1
            """
        ).map { .milliseconds(try $0.decode("milliseconds", as: Int64.self)) }
    }

    /// Extends the lease of a job. Returns false if the worker has lost the job.
    public func renew(_ job: Job, leaseSeconds: Int) throws -> Bool {
        try database.execute(
            """
            update jobs set due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer)
            where id = \(job.id) and token = \(job.token) and parked_at is null
            """) == 1
    }

    /// Gives a job back without counting the attempt. Used if the job did not cause the problem.
    public func giveBack(_ job: Job, seconds: Double) throws {
        try database.execute(
            """
            update jobs
            set due_at = clock_timestamp() + make_interval(secs => \(seconds)), attempts = attempts - 1
            where id = \(job.id) and token = \(job.token)
            """)
    }

    /// The number of waiting and held jobs.
    public func jobCount() throws -> Int {
        try database.only("select count(*) as jobs from jobs where parked_at is null").decode("jobs", as: Int.self)
    }

    /// The number of parked jobs.
    public func parkedJobCount() throws -> Int {
        try database.only("select count(*) as jobs from jobs where parked_at is not null").decode("jobs", as: Int.self)
    }
}

extension TenantTransaction {
    /// The number of claims of the job since its last progress, including the current claim. Throws `JobLost`.
    public func attempts(at job: Job) throws -> Int {
        let row = try database.first(
            """
            select attempts from jobs
            where id = \(job.id) and token = \(job.token) and organization_id = \(organization.uuid)
              and parked_at is null
            """)
        guard let row else { throw JobLost() }
        return try row.decode("attempts", as: Int.self)
    }

    /// Whether the worker still holds the job. The job's row is locked until the transaction ends, so the result stays
    /// valid.
    public func holds(_ job: Job) throws -> Bool {
        try database.first(
            """
            select 1 as one from jobs
            where id = \(job.id) and token = \(job.token) and organization_id = \(organization.uuid)
              and parked_at is null
            for update
            """) != nil
    }

    /// Ends a job in the same transaction as its effect. Throws `JobLost` if another worker has claimed it.
    public func finish(_ job: Job) throws { try change(job, by: "delete from jobs") }

    /// Schedules the next attempt of a job. `cause` is the reason for the failure. Throws `JobLost`.
    public func postpone(_ job: Job, until next: Date, cause: String) throws {
        try change(job, by: "update jobs set due_at = \(next), cause = \(cause)")
    }

    /// Schedules the next step of a job that made progress, and sets its number of attempts to zero. Without a time,
    /// the step is due now, after the jobs that are already due. Throws `JobLost`.
    public func putOff(_ job: Job, until due: Date?) throws {
        try change(job, by: "update jobs set due_at = coalesce(\(due), clock_timestamp()), attempts = 0")
        try database.notify(Store.jobsChannel)
    }

    /// Parks a job: it is kept with its cause, but not claimed again. Throws `JobLost`.
    public func park(_ job: Job, cause: String) throws {
        try change(job, by: "update jobs set parked_at = clock_timestamp(), cause = \(cause)")
    }

    /// Records progress. Use it when this transaction completes a part of the job, so that earlier attempts no longer
    /// count. No other worker can claim the job until the transaction ends. Throws `JobLost`.
    public func advance(_ job: Job) throws { try change(job, by: "update jobs set attempts = 1") }

    /// Changes a job that the worker still holds. Throws `JobLost`.
    private func change(_ job: Job, by statement: SQL) throws {
        let changed = try database.execute(
            """
            \(fragment: statement)
            where id = \(job.id) and token = \(job.token) and organization_id = \(organization.uuid)
              and parked_at is null
            """)
        guard changed == 1 else { throw JobLost() }
    }

    /// The time of the database's clock. It determines which jobs are due.
    public func clock() throws -> Date {
        try database.only("select clock_timestamp() as now").decode("now", as: Date.self)
    }

    func enqueue(_ kind: Job.Kind, key: UUID, at due: Date?) throws {
        try database.execute(
            """
            insert into jobs (organization_id, kind, key, due_at)
            values (\(organization.uuid), \(kind.rawValue), \(key), coalesce(\(due), clock_timestamp()))
            """)
        try database.notify(Store.jobsChannel)
    }

    /// Queues a job. Replaces an existing job, even a parked one.
    func requeue(_ kind: Job.Kind, key: UUID, at due: Date?) throws {
        try remove(kind, keys: [key])
        try enqueue(kind, key: key, at: due)
    }

    /// Removes jobs, including parked ones. A worker that holds one of them loses it.
    func remove(_ kind: Job.Kind, keys: [UUID]) throws {
        try database.execute(
            """
            delete from jobs
            where organization_id = \(organization.uuid) and kind = \(kind.rawValue) and key = any(\(keys))
            """)
    }

    /// Removes all jobs of the organization, apart from its deletion.
    func removeJobsButDeletion() throws {
        try database.execute(
            """
            delete from jobs where organization_id = \(organization.uuid) and kind <> \(Job.Kind.delete.rawValue)
            """)
    }

    func dequeue(_ kind: Job.Kind, key: UUID) throws {
        try database.execute(
            """
            delete from jobs
            where organization_id = \(organization.uuid) and kind = \(kind.rawValue) and key = \(key)
              and parked_at is null
            """)
    }
}
