public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// A schedule's runs, newest first. The page's key is the ID of the last item on the previous page. Throws
    /// `notFound`.
    ///
    /// - Parameters:
    ///   - from: Only runs that were due at or after this time, or `nil` for no bound.
    ///   - until: Only runs that were due before this time, or `nil` for no bound.
    public func runs(
        of schedule: ID<Schedule>, _ page: Page, from: Date? = nil, until: Date? = nil
    ) throws -> Listing<ScheduleRun> {
        _ = try self.schedule(schedule)
        return try list(page, key: \.id.description, reading: { try $0.map(ScheduleRun.init(row:)) }) { page in
            """
            select \(fragment: ScheduleRun.columns) from schedule_runs
            where organization_id = \(organization.uuid) and schedule_id = \(schedule.uuid)
              and due_at >= coalesce(\(from), '-infinity') and due_at < coalesce(\(until), 'infinity')
              \(fragment: try page.newestFirst(of: "schedule_runs", ScheduleRun.self, by: "due_at", in: organization))
            """
        }
    }

    /// The last run of each schedule that has runs.
    public func lastRuns(of schedules: [ID<Schedule>]) throws -> [ID<Schedule>: ScheduleRun] {
        let rows = try database.query(
            """
            select latest.* from unnest(\(schedules.map(\.uuid))) as listed (schedule_id)
            cross join lateral (
              select \(fragment: ScheduleRun.columns) from schedule_runs
              where schedule_runs.organization_id = \(organization.uuid)
                and schedule_runs.schedule_id = listed.schedule_id
              order by due_at desc
              limit 1
            ) as latest
            """)
        return try rows.reduce(into: [:]) { runs, row in
            let run = try ScheduleRun(row: row)
            runs[run.schedule] = run
        }
    }

    /// Returns one run of a schedule. Throws `notFound` if it does not exist.
    public func run(_ id: ID<ScheduleRun>, of schedule: ID<Schedule>) throws -> ScheduleRun {
        let row = try database.first(
            """
            select \(fragment: ScheduleRun.columns) from schedule_runs
            where organization_id = \(organization.uuid) and schedule_id = \(schedule.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "run", key: id.description) }
        return try ScheduleRun(row: row)
    }

    /// The run with this ID, of any schedule, or `nil` if it does not exist.
    public func run(_ id: ID<ScheduleRun>) throws -> ScheduleRun? {
        try database.first(
            """
            select \(fragment: ScheduleRun.columns) from schedule_runs
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """
        ).map(ScheduleRun.init(row:))
    }

    /// Creates the run of a due time and its job. Each due time has one run; returns `nil` if it already exists.
    ///
    /// - Parameter missed: The missed due times before it.
    public func createRun(
        of schedule: Schedule, dueAt: Date, kind: ScheduleRun.Kind, missed: [DueTime] = []
    ) throws -> ScheduleRun? {
        let id = ID<ScheduleRun>()
        let hosts = try hosts(of: schedule.settings.target)
        let made = try database.execute(
            """
            insert into schedule_runs (
              organization_id, id, schedule_id, due_at, kind, state, hosts, host_count, missed, first_missed_at,
              requester_kind, requester_name)
            values (
              \(organization.uuid), \(id.uuid), \(schedule.id.uuid), \(dueAt), \(kind.rawValue), 'running', \(hosts),
              \(hosts.count), \(missed.count), \(missed.first?.moment), \(author.kind.rawValue), \(author.name))
            on conflict on constraint due_time_is_run_once do nothing
            """)
        guard made == 1 else { return nil }
        try requeue(.run, key: id.uuid, at: nil)
        try audit(
            .runStarted, schedule.settings.name, concerning: ConcernedDomains(schedule.settings.target), act: .run(id),
            [
                "schedule": .string(schedule.id.description), "run": .string(id.description),
                "kind": .string(kind.rawValue), "missed": .int(missed.count),
            ])
        return try run(id, of: schedule.id)
    }

    /// Runs a schedule now, in any state. Its due times do not change. Throws `notFound`.
    public func runNow(_ id: ID<Schedule>) throws -> ScheduleRun {
        guard let schedule = try lockedSchedule(id),
            let run = try createRun(of: schedule, dueAt: clock(), kind: .manual)
        else { throw StorageError.notFound(kind: "schedule", key: id.description) }
        return run
    }

    /// The next domains of a run without an outcome, at most `limit`, in processing order.
    public func openHosts(of run: ScheduleRun, limit: Int) throws -> [Host] {
        try database.query(
            """
            select unnest(hosts[settled + 1 : settled + \(limit)]) as host from schedule_runs
            where organization_id = \(organization.uuid) and id = \(run.id.uuid)
            """
        ).map { try $0.host("host") }
    }

    /// Counts the next domains of a run as unchanged. The caller must hold the run's job.
    public func addUnchanged(_ count: Int, in run: ScheduleRun) throws {
        guard count > 0 else { return }
        try database.execute(
            """
            update schedule_runs set unchanged = unchanged + \(count)
            where organization_id = \(organization.uuid) and id = \(run.id.uuid)
            """)
    }

    /// Records the outcome of the next domain of a run. The caller must hold the run's job. Throws `JobLost` if another
    /// worker has already processed this domain.
    public func addOutcome(_ kind: ScheduleOutcome.Kind, of host: Host, in run: ScheduleRun) throws {
        func count(_ name: String) -> Int { kind.name == name ? 1 : 0 }
        let counted = try database.execute(
            """
            update schedule_runs
            set published = published + \(count("published")), unchanged = unchanged + \(count("unchanged")),
              refused = refused + \(count("refused")), frozen = frozen + \(count("frozen")),
              failed = failed + \(count("failed"))
            where organization_id = \(organization.uuid) and id = \(run.id.uuid)
              and hosts[settled + 1] = \(host.description)
            """)
        guard counted == 1 else { throw JobLost() }
        if kind == .unchanged { return }
        try database.execute(
            """
            insert into schedule_outcomes (
              organization_id, run_id, host, outcome, publication_id, freeze_id, report, cause)
            values (
              \(organization.uuid), \(run.id.uuid), \(host.description), \(kind.name), \(kind.publication?.uuid),
              \(kind.freeze?.uuid), \(kind.report?.text)::json, \(kind.cause))
            """)
    }

    /// Ends a run. Domains without an outcome count as failed, with the given cause. The caller must hold the run's
    /// job.
    public func end(_ run: ScheduleRun, failingRest cause: String? = nil) throws {
        if let cause {
            // A single statement, because there may be thousands of domains.
            try database.execute(
                """
                with rest as (
                  insert into schedule_outcomes (organization_id, run_id, host, outcome, cause)
                  select organization_id, id, unnest(hosts[settled + 1 :]), 'failed', \(cause)
                  from schedule_runs
                  where organization_id = \(organization.uuid) and id = \(run.id.uuid)
                  returning host
                )
                update schedule_runs set failed = failed + (select count(*) from rest)
                where organization_id = \(organization.uuid) and id = \(run.id.uuid)
                """)
        }
        try database.execute(
            """
            update schedule_runs set state = 'ended', ended_at = clock_timestamp(), hosts = '{}'
            where organization_id = \(organization.uuid) and id = \(run.id.uuid)
            """)
        let settings = try schedule(run.schedule).settings
        try audit(
            .runEnded, settings.name, concerning: ConcernedDomains(settings.target), act: .run(run.id),
            [
                "schedule": .string(run.schedule.description), "run": .string(run.id.description),
                "cause": .detail(cause),
            ])
    }

    /// The outcomes of a run's domains except unchanged ones, sorted by host. The page's key is a host.
    public func outcomes(of run: ScheduleRun, _ page: Page) throws -> Listing<ScheduleOutcome> {
        return try list(page, key: \.host.description, reading: { try $0.map(ScheduleOutcome.init(row:)) }) { page in
            """
            select host, outcome, publication_id, freeze_id, report, cause, at from schedule_outcomes
            where organization_id = \(organization.uuid) and run_id = \(run.id.uuid) and host > \(page.after ?? "")
            order by host
            limit \(page.rowsToRead)
            """
        }
    }

    /// Whether a run of a schedule created a publication.
    public func isOfRun(_ publication: ID<Publication>) throws -> Bool {
        try database.first(
            """
            select from schedule_outcomes
            where organization_id = \(organization.uuid) and publication_id = \(publication.uuid)
            """) != nil
    }

    private func hosts(of target: Schedule.Target) throws -> [String] {
        switch target {
        case .domain(let host): return [host.description]
        case .label(let label):
            return try database.query(
                """
                select domains.host from domain_labels
                join domains
                  on domains.organization_id = domain_labels.organization_id and domains.host = domain_labels.host
                where domain_labels.organization_id = \(organization.uuid) and domain_labels.label = \(label)
                  and domains.alias_of is null
                order by domains.host
                """
            ).map { try $0.decode("host", as: String.self) }
        }
    }
}
