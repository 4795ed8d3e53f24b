public import FoundationEssentials
import Postgres

/// A piece of work that a worker holds, for as long as its lease.
public struct Job: Hashable, Sendable {
    /// What is to be done.
    public enum Kind: String, Sendable {
        /// Carry out the publication that the key names.
        case publish
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
    /// How often it has been claimed, this time included.
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

extension Installation {
    /// Claims the job that has been due longest and that no worker holds; `nil` when there is none. The lease runs by
    /// the database's clock.
    public func claimJob(leaseSeconds: Int) throws -> Job? {
        try database.first(
            """
            with due as (
              select id from jobs
              where due_at <= clock_timestamp() and (lease_until is null or lease_until < clock_timestamp())
              order by due_at, id
              limit 1
              for update skip locked
            )
            update jobs
            set lease_until = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer), token = token + 1,
              attempts = attempts + 1
            from due
            where jobs.id = due.id
            returning jobs.id, jobs.organization_id, jobs.kind, jobs.key, jobs.token, jobs.attempts
            """
        ).map(Job.init(row:))
    }

    /// Gives a job back, to be claimed again after a while.
    public func postpone(_ job: Job, seconds: Int) throws {
        try database.execute(
            """
            update jobs
            set due_at = clock_timestamp() + make_interval(secs => \(seconds)::integer), lease_until = null
            where id = \(job.id) and token = \(job.token)
            """)
    }

    /// How many jobs wait or are held, for the metrics.
    public func jobCount() throws -> Int {
        try database.only("select count(*) as jobs from jobs").decode("jobs", as: Int.self)
    }
}

extension Tenant {
    /// Ends a job in the transaction of its effect. False when another worker has claimed it since: the caller throws
    /// its effect away.
    public func finish(_ job: Job) throws -> Bool {
        try database.execute(
            """
            delete from jobs
            where id = \(job.id) and token = \(job.token) and organization_id = \(organization.uuid)
            """) == 1
    }

    func enqueue(_ kind: Job.Kind, key: UUID) throws {
        try database.execute(
            """
            insert into jobs (organization_id, kind, key, due_at)
            values (\(organization.uuid), \(kind.rawValue), \(key), clock_timestamp())
            """)
        try database.notify(Store.jobsChannel)
    }

    func dequeue(_ kind: Job.Kind, key: UUID) throws {
        try database.execute(
            """
            delete from jobs
            where organization_id = \(organization.uuid) and kind = \(kind.rawValue) and key = \(key)
            """)
    }
}
