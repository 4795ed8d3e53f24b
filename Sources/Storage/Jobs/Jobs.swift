public import FoundationEssentials
import Postgres

/// A piece of work that a worker holds, for as long as its lease.
public struct Job: Hashable, Sendable {
    /// What is to be done.
    public enum Kind: String, CaseIterable, Sendable {
        /// Carry out the publication that the key names.
        case publish
        /// Carry out the withdrawal that the key names.
        case withdraw
        /// Look which due times of the schedule that the key names have come, and make its runs.
        case schedule
        /// Carry out the run of a schedule that the key names.
        case run
        /// Carry the release that the key names on.
        case release
        /// Carry the replacement that the key names on.
        case replace
        /// Tell that the freeze that the key names has ended by itself.
        case freeze
    }

    /// The job's number.
    public let id: Int64
    /// The organization that it works for.
    public let organization: ID<Organization>
    /// What is to be done.
    public let kind: Kind
    /// What it is to be done to.
    public let key: UUID
    /// Rises with every claim: a worker whose token is not the latest has lost the job.
    public let token: Int64
    /// How often it has been claimed, this time included; claims that were given back are not counted.
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

/// Another worker has claimed the job since, or it is over: whoever throws this has changed nothing.
public struct JobLost: Error, Hashable, Sendable {
    /// The job is no longer this worker's.
    public init() {}
}

extension SystemTransaction {
    /// Claims a job that is due. One whose worker was lost comes first: it had its turn. Otherwise organizations take
    /// turns: the next one after `turn` by ID that has a job due comes first, and within it the job that has been due
    /// longest. The lease runs by the database's clock.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of jobs that the worker can carry out.
    ///   - turn: the organization that was served last; `nil` begins with the first.
    /// - Returns: `nil` when no job is due, or every one that is due is being claimed by others right now.
    public func claimJob(
        of kinds: [Job.Kind] = Job.Kind.allCases, after turn: ID<Organization>? = nil, leaseSeconds: Int
    ) throws -> Job? {
        if let job = try claimLostJob(of: kinds, leaseSeconds) { return job }
        let isItsTurn: SQL? = turn.map { "and organization_id > \($0.uuid)" }
        if let isItsTurn, let job = try claimJob(of: kinds, leaseSeconds, isItsTurn) { return job }
        return try claimJob(of: kinds, leaseSeconds, "")
    }

    // A job that has been begun and has no cause is held, or its worker was lost: one that failed has a cause. Behind
    // those that wait, it would be claimed when the last of them is done, and not when its lease is over.
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

    // `statement_timestamp()` rather than `clock_timestamp()`: it is stable, and so a condition of the index. The first
    // line of the condition is answered once, by the index on the due time: where nothing is due, nothing else is read.
    private func claimJob(of kinds: [Job.Kind], _ leaseSeconds: Int, _ isItsTurn: SQL) throws -> Job? {
        try claim(
            """
            select id from jobs
            where (select due_at from jobs where parked_at is null order by due_at limit 1) <= statement_timestamp()
              and parked_at is null and due_at <= statement_timestamp()
              and kind = any(\(kinds.map(\.rawValue))) \(fragment: isItsTurn)
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

    /// How long until the next job is due, by the database's clock, held ones included; zero or less when one is due
    /// already, `nil` when there is none.
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

    /// Prolongs the lease of a job. False when the worker has lost it.
    public func renew(_ job: Job, leaseSeconds: Int) throws -> Bool {
        try database.execute(
            """
            update jobs set due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer)
            where id = \(job.id) and token = \(job.token) and parked_at is null
            """) == 1
    }

    /// Gives a job back as if it had not been claimed: for what is no fault of the job.
    public func giveBack(_ job: Job, seconds: Double) throws {
        try database.execute(
            """
            update jobs
            set due_at = clock_timestamp() + make_interval(secs => \(seconds)), attempts = attempts - 1
            where id = \(job.id) and token = \(job.token)
            """)
    }

    /// How many jobs wait or are held.
    public func jobCount() throws -> Int {
        try database.only("select count(*) as jobs from jobs where parked_at is null").decode("jobs", as: Int.self)
    }

    /// How many jobs were given up and are kept for the operator.
    public func parkedJobCount() throws -> Int {
        try database.only("select count(*) as jobs from jobs where parked_at is not null").decode("jobs", as: Int.self)
    }
}

extension TenantTransaction {
    /// How often the job has been claimed since it got on last, this time included. Throws `JobLost`.
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

    /// Whether the worker still holds the job; its row is locked until the transaction ends, so that it stays so.
    public func holds(_ job: Job) throws -> Bool {
        try database.first(
            """
            select 1 as one from jobs
            where id = \(job.id) and token = \(job.token) and organization_id = \(organization.uuid)
              and parked_at is null
            for update
            """) != nil
    }

    /// Ends a job in the transaction of its effect. Throws `JobLost` when another worker has claimed it since.
    public func finish(_ job: Job) throws { try change(job, by: "delete from jobs") }

    /// Puts a job off for its next attempt; `cause` says why this one failed. Throws `JobLost`.
    public func postpone(_ job: Job, until next: Date, cause: String) throws {
        try change(job, by: "update jobs set due_at = \(next), cause = \(cause)")
    }

    /// Puts a job off that has got on and goes on later; where no time is given at once, behind what is due already. Its
    /// attempts count anew. Throws `JobLost`.
    public func putOff(_ job: Job, until due: Date?) throws {
        try change(job, by: "update jobs set due_at = coalesce(\(due), clock_timestamp()), attempts = 0")
        try database.notify(Store.jobsChannel)
    }

    /// Gives a job up: it is kept with its cause, and not claimed any more. Throws `JobLost`.
    public func park(_ job: Job, cause: String) throws {
        try change(job, by: "update jobs set parked_at = clock_timestamp(), cause = \(cause)")
    }

    /// A part of the job is done for good in this transaction: the attempts that came so far do not count any more.
    /// Throws `JobLost`; otherwise nobody else can claim the job until the transaction ends.
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

    /// The database's clock, by which everything is due.
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

    /// Queues a job in place of the one that there is, also where that was given up.
    func requeue(_ kind: Job.Kind, key: UUID, at due: Date?) throws {
        try remove(kind, keys: [key])
        try enqueue(kind, key: key, at: due)
    }

    /// Removes jobs, also those that were given up; a worker that holds one of them has lost it.
    func remove(_ kind: Job.Kind, keys: [UUID]) throws {
        try database.execute(
            """
            delete from jobs
            where organization_id = \(organization.uuid) and kind = \(kind.rawValue) and key = any(\(keys))
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
