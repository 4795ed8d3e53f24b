public import AASA
import Cron
public import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// The organization's schedules, sorted by name. The page's key is a name.
    ///
    /// - Parameter host: Only schedules that publish this domain, by its name or by one of its current labels. If
    ///   `nil`, all schedules.
    public func schedules(_ page: Page, publishing host: Host? = nil) throws -> Listing<Schedule> {
        return try list(page, key: \.settings.name, reading: { try $0.map(Schedule.init(row:)) }) { page in
            """
            select \(fragment: Schedule.columns) from schedules
            where organization_id = \(organization.uuid) and name > \(page.after ?? "")
              and (\(host?.description)::text is null or host = \(host?.description) or label = any(
                select unnest(domains.labels) from domains
                where domains.organization_id = \(organization.uuid) and domains.host = \(host?.description)
                  and domains.alias_of is null))
            order by name
            limit \(page.rowsToRead)
            """
        }
    }

    /// The schedule with this name, or `nil` if it does not exist.
    public func schedule(named name: String) throws -> ID<Schedule>? {
        try database.first(
            "select id from schedules where organization_id = \(organization.uuid) and name = \(name)"
        )?.id("id")
    }

    /// The schedule with this ID. Throws `notFound` if it does not exist.
    public func schedule(_ id: ID<Schedule>) throws -> Schedule {
        let row = try database.first(
            """
            select \(fragment: Schedule.columns) from schedules
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "schedule", key: id.description) }
        return try Schedule(row: row)
    }

    /// The schedule with this ID, or `nil` if it does not exist. Locks its row until the transaction ends. The lock
    /// allows references to the row's key, so deleting a domain does not wait for it.
    public func lockedSchedule(_ id: ID<Schedule>) throws -> Schedule? {
        try database.first(
            """
            select \(fragment: Schedule.columns) from schedules
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for no key update
            """
        ).map(Schedule.init(row:))
    }

    /// Creates a schedule and its job. Throws `exists`, `unknownZone`, `scheduleRefused`, `tooManySchedules`.
    public func createSchedule(_ settings: Schedule.Settings) throws -> Schedule {
        try require(settings)
        let counted = try database.only(
            "select count(*) as count from schedules where organization_id = \(organization.uuid)")
        guard try counted.decode("count", as: Int.self) < Schedule.maximum else { throw StorageError.tooManySchedules }
        let id = ID<Schedule>()
        let now = try clock()
        let times = try dueTimes(from: now, settings)
        try database.execute(
            """
            insert into schedules (
              organization_id, id, name, host, label, expression, zone, message, catch_up_seconds, state, handled_until,
              next_due_at, creator_kind, creator_name)
            values (
              \(organization.uuid), \(id.uuid), \(settings.name), \(settings.target.host?.description),
              \(settings.target.label), \(settings.expression.text), \(settings.zone), \(settings.message),
              \(settings.catchUpSeconds), 'active', \(times.handledUntil.description)::timestamp, \(times.next?.moment),
              \(author.kind.rawValue), \(author.name))
            """)
        try requeue(.schedule, key: id.uuid, at: Self.nextCheck(times.next, now))
        try audit(.scheduleCreated, id, settings)
        return try schedule(id)
    }

    /// Changes a schedule. Does nothing if the settings are the same. If the due times change or the schedule becomes
    /// active, computes the next due time again from now.
    ///
    /// - Parameters:
    ///   - revision: The expected revision, or `nil` for any revision.
    ///   - state: `active` or `paused`, or `nil` to keep the state.
    ///   - reason: The reason for the pause.
    /// - Throws: `notFound`, `scheduleMoved`, and the errors of ``createSchedule(_:)``.
    public func updateSchedule(
        _ id: ID<Schedule>, expecting revision: Int?, state: Schedule.State? = nil, reason: String? = nil,
        _ change: (Schedule.Settings) throws -> Schedule.Settings = { $0 }
    ) throws -> Schedule {
        let old = try lockedSchedule(id, expecting: revision)
        let settings = try change(old.settings)
        let state = state ?? old.state
        if settings != old.settings || state == .active && old.state != .active { try require(settings) }
        let reason = state == .active ? nil : state == old.state ? reason ?? old.reason : reason
        guard (settings, state, reason) != (old.settings, old.state, old.reason) else { return old }
        try database.execute(
            """
            update schedules
            set revision = revision + 1, name = \(settings.name), host = \(settings.target.host?.description),
              label = \(settings.target.label), expression = \(settings.expression.text), zone = \(settings.zone),
              message = \(settings.message), catch_up_seconds = \(settings.catchUpSeconds), state = \(state.rawValue),
              reason = \(reason),
              next_due_at = case when \(state.rawValue)::text = 'active' then next_due_at end,
              updated_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        let isDueOtherwise = settings.expression != old.settings.expression || settings.zone != old.settings.zone
        if state != .active {
            try remove(.schedule, keys: [id.uuid])
        } else if isDueOtherwise || old.state != .active {
            let now = try clock()
            let times = try dueTimes(from: now, settings)
            try setDueTimes(of: id, times)
            try requeue(.schedule, key: id.uuid, at: Self.nextCheck(times.next, now))
        }
        let kind: EventKind =
            switch (old.state, state) {
            case (let before, let after) where before == after: .scheduleChanged
            case (_, .active): .scheduleResumed
            default: .schedulePaused
            }
        try audit(kind, id, settings, replacing: old.settings)
        return try schedule(id)
    }

    /// Deletes a schedule and its runs. Its publications remain. Throws `notFound`, `scheduleMoved`.
    public func deleteSchedule(_ id: ID<Schedule>, expecting revision: Int?) throws {
        let old = try lockedSchedule(id, expecting: revision)
        let running = try database.query(
            """
            select id from schedule_runs
            where organization_id = \(organization.uuid) and schedule_id = \(id.uuid) and state = 'running'
            """
        ).map { try $0.decode("id", as: UUID.self) }
        try remove(.schedule, keys: [id.uuid])
        try remove(.run, keys: running)
        try database.execute(
            "delete from schedules where organization_id = \(organization.uuid) and id = \(id.uuid)")
        try audit(.scheduleDeleted, id, old.settings)
    }

    /// The past due times of a schedule, and the next one, by the zone's current rules. Throws `unknownZone` if
    /// PostgreSQL no longer knows the zone. After this error, the transaction cannot continue.
    public func dueTimes(of schedule: Schedule, until now: Date) throws -> DueTimes {
        do {
            return try dueTimes(
                schedule.settings.expression, in: schedule.settings.zone, after: schedule.handledUntil, until: now)
        } catch let error as PostgresError where error.sqlState == "22023" {
            // SQLSTATE 22023, invalid_parameter_value.
            throw StorageError.unknownZone(schedule.settings.zone)
        }
    }

    /// Records that due times have been handled, and schedules the job for the next due time. The job runs at least
    /// once a day, so that it notices changes of the zone's rules. The caller must have locked the schedule with
    /// ``lockedSchedule(_:)``. Throws `JobLost`.
    public func reschedule(_ schedule: Schedule, after times: DueTimes, at now: Date, _ job: Job) throws {
        try setDueTimes(of: schedule.id, times)
        try putOff(job, until: Self.nextCheck(times.next, now))
    }

    /// Suspends a schedule for a reason that a user must check. The caller must have locked the schedule with
    /// ``lockedSchedule(_:)``, and must end its job.
    public func suspend(_ schedule: Schedule, because reason: String) throws {
        try database.execute(
            """
            update schedules set state = 'suspended', reason = \(String(reason.prefix(1_000))), next_due_at = null
            where organization_id = \(organization.uuid) and id = \(schedule.id.uuid)
            """)
        try audit(.scheduleSuspended, schedule.id, schedule.settings, reason: reason)
    }

    private func audit(
        _ kind: EventKind, _ id: ID<Schedule>, _ settings: Schedule.Settings, replacing old: Schedule.Settings? = nil,
        reason: String? = nil
    ) throws {
        func detail(_ settings: Schedule.Settings) -> JSONValue {
            var detail = JSONObject([
                ("schedule", .string(id.description)), ("host", .detail(settings.target.host)),
                ("label", .detail(settings.target.label)), ("expression", .string(settings.expression.text)),
                ("zone", .string(settings.zone)),
            ])
            if let reason { detail["reason"] = .string(reason) }
            return .object(detail)
        }
        try audit(
            kind, settings.name, concerning: ConcernedDomains(settings.target),
            detail(settings).replacing(detail(old ?? settings)))
    }

    private func lockedSchedule(_ id: ID<Schedule>, expecting revision: Int?) throws -> Schedule {
        guard let schedule = try lockedSchedule(id) else {
            throw StorageError.notFound(kind: "schedule", key: id.description)
        }
        if let revision, revision != schedule.revision {
            throw StorageError.scheduleMoved(current: schedule.revision)
        }
        return schedule
    }

    private func require(_ settings: Schedule.Settings) throws {
        var faults: [StorageError] = []
        for check in [{ try self.requireZone(settings.zone) }, { try self.require(settings.target) }] {
            do { try check() } catch let fault as StorageError { faults.append(fault) }
        }
        guard let first = faults.first else { return }
        throw faults.count == 1 ? first : StorageError.several(faults)
    }

    private func require(_ target: Schedule.Target) throws {
        guard let host = target.host else { return }
        let found = try database.first(
            """
            select alias_of from domains
            where organization_id = \(organization.uuid) and host = \(host.description)
            """)
        guard let found else { throw StorageError.scheduleRefused(because: "there is no domain \(host)") }
        if let target = try found.decode("alias_of", as: String?.self) {
            throw StorageError.scheduleRefused(because: "\(host) is an alias; schedule \(target), whose file it serves")
        }
    }

    /// The due times of a new schedule. It has none before now.
    private func dueTimes(from now: Date, _ settings: Schedule.Settings) throws -> DueTimes {
        let start = try localTime(now, in: settings.zone)
        return try dueTimes(settings.expression, in: settings.zone, after: start, until: now)
    }

    private func setDueTimes(of id: ID<Schedule>, _ times: DueTimes) throws {
        try database.execute(
            """
            update schedules
            set handled_until = \(times.handledUntil.description)::timestamp, next_due_at = \(times.next?.moment)
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
    }

    private static func nextCheck(_ next: DueTime?, _ now: Date) -> Date {
        let inADay = now.addingTimeInterval(86_400)
        return min(next?.moment ?? inADay, inADay)
    }
}
