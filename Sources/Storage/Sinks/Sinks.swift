import AASA
import FoundationEssentials
import Postgres
import StrictJSON

/// A bucket that receives files.
public struct Sink: Hashable, Sendable {
    /// The name, 1 to 63 characters. Organizations can see it.
    public let name: String
    /// Whether the last attempt to read the bucket failed, less than ten minutes before the sink was opened.
    public let wasFailing: Bool
    let id: Int64
}

/// An object of a sink that a worker has claimed. The claim lasts until its lease ends or its token changes.
public struct SinkObject: Hashable, Sendable {
    /// The paths of a host's file. Apple requests both.
    public static let paths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]

    /// The sink.
    public let sink: Sink
    /// The host.
    public let host: String
    /// The path on the host, with a leading slash.
    public let path: String
    /// A number that increases when the object is claimed and when its host changes. A worker with a smaller number has
    /// lost the object.
    public let token: Int64
    /// The number of attempts since the object was last up to date, including the current one.
    public let attempts: Int
    /// The last known activation of the object, or `nil` if it is not known.
    public let activation: Int64?
}

/// The desired state of an object.
public struct SinkWant: Hashable, Sendable {
    /// The host's organization, or `nil` if it was deleted.
    public let organization: ID<Organization>?
    /// The activation that the object must have.
    public let activation: Int64
    /// The number of the version that the object must contain, or `nil` if the host is out of service.
    public let version: Int?
    /// The version's SHA-256, or `nil` if the host is out of service.
    public let sha256: [UInt8]?
}

/// The worker has lost the object, because its lease ended or its host has changed.
public struct SinkObjectLost: Error, Hashable {
    /// Creates the error.
    public init() {}
}

extension SystemTransaction {
    /// The maximum number of changes that one statement makes due, so that it always ends in time.
    public static let maximumChanges = 2_000

    /// Registers a sink, or returns an existing one with this name and address. The same name with a different address
    /// is a different sink. If several sinks have the same name, users see the one that was opened last.
    ///
    /// - Parameters:
    ///   - name: The name, 1 to 63 characters.
    ///   - address: The address.
    public func openSink(_ name: String, at address: String) throws -> Sink {
        let row = try database.only(
            """
            insert into sinks (name, address) values (\(name), \(address))
            on conflict (name, address) do update
            set opened_at = clock_timestamp(), seen_at = clock_timestamp()
            returning id, coalesce(failed_at > clock_timestamp() - interval '10 minutes', false) as was_failing
            """)
        return Sink(
            name: name, wasFailing: try row.decode("was_failing", as: Bool.self),
            id: try row.decode("id", as: Int64.self))
    }

    /// Deletes sinks that no worker has opened for 30 days, with a limited number of objects per call.
    ///
    /// - Returns: Whether there may be more to delete.
    public func forgetSinks(atMost limit: Int = maximumChanges) throws -> Bool {
        // If another process opens a deleted sink in the meantime, it waits for this transaction, and then starts from
        // the first activation.
        let forgotten = try database.query(
            """
            update sinks set activation = 0 where seen_at < clock_timestamp() - interval '30 days'
            returning id
            """
        ).map { try $0.decode("id", as: Int64.self) }
        guard !forgotten.isEmpty else { return false }
        let objects = try database.execute(
            """
            delete from sink_objects
            where (sink, host, path) in (
              select sink, host, path from sink_objects where sink = any(\(forgotten)) limit \(limit))
            """)
        guard objects == 0 else { return true }
        try database.execute("delete from sinks where id = any(\(forgotten))")
        return false
    }

    // Objects are claimed in the order of their due times. The due time of a changed object therefore encodes its place
    // in the order: two days ago, plus one `turn` for each earlier change of the same organization on the page. So a
    // single publication comes after the first few hosts of another organization's release, not after all of them.
    private static let ahead: SQL = "statement_timestamp() - interval '2 days'"
    private static let turn: SQL = "interval '30 seconds'"
    // The due times of changes are all before this time. Objects that became due later are not changes: they were tried
    // before, their worker was lost, or a comparison found them to be different.
    private static let changesEnd: SQL = "statement_timestamp() - interval '1 day'"

    /// Makes the objects of changed hosts due. A worker that holds one of these objects loses it. Each call handles a
    /// limited number of hosts, and the next call continues. The objects of one organization after another become due,
    /// so that none waits for all objects of another.
    ///
    /// - Parameter limit: The maximum number of hosts, at most `maximumChanges`.
    /// - Returns: Whether there may be more changes.
    @discardableResult
    public func queueChanges(of sink: Sink, atMost limit: Int = maximumChanges) throws -> Bool {
        // A separate statement, because it may wait for a lock. The next statement then sees all changes that were
        // committed meanwhile.
        let known = try database.only(
            """
            select activation, seen_at < clock_timestamp() - interval '30 seconds' as is_old from sinks
            where id = \(sink.id)
            for update
            """)
        let activation = try known.decode("activation", as: Int64.self)
        let last = try lastActivation()
        let isOld = try known.decode("is_old", as: Bool.self)
        guard last > activation || isOld else { return false }
        // Activations become visible in order, so the next call can continue after the last activation of a full page.
        let changed = try database.only(
            """
            with changed as (
              select host, activation, organization_id from claims
              where activation > \(activation)
              union all
              select host, activation, null from ended_hosts
              where activation > \(activation)
              order by activation
              limit \(limit)),
            latest as (
              select distinct on (host) host, activation, organization_id from changed
              order by host, activation desc),
            in_turn as (
              select host, row_number() over (partition by organization_id order by activation) as number
              from latest),
            queued as (
              insert into sink_objects (sink, host, path, due_at)
              select \(sink.id), in_turn.host, paths.path,
                \(fragment: Self.ahead) + in_turn.number * \(fragment: Self.turn)
              from in_turn
              cross join unnest(\(SinkObject.paths)) as paths (path)
              order by in_turn.host, paths.path
              on conflict (sink, host, path) do update
              set due_at = least(sink_objects.due_at, excluded.due_at), token = sink_objects.token + 1, attempts = 0,
                behind_since = coalesce(sink_objects.behind_since, clock_timestamp()))
            select count(*) as hosts, max(activation) as last from changed
            """)
        let isAll = try changed.decode("hosts", as: Int.self) < limit
        let reached = max(try changed.decode("last", as: Int64?.self) ?? 0, isAll ? last : 0)
        try database.execute(
            """
            update sinks set activation = \(reached), seen_at = clock_timestamp() where id = \(sink.id)
            """)
        return !isAll
    }

    /// Claims due objects. Three of four are changes, in an order that alternates between organizations. One of four is
    /// the other object that has waited longest: it was tried before, its worker was lost, or a comparison found it to
    /// be different. If there are too few objects of one sort, the other sort fills the places.
    ///
    /// - Parameter claimed: The number of objects that were claimed before. With it, the ratio is right even if objects
    ///   are claimed one by one.
    public func claimObjects(
        of sink: Sink, atMost limit: Int, after claimed: Int = 0, leaseSeconds: Int
    ) throws -> [SinkObject] {
        // `statement_timestamp()` is stable, so it can be an index condition; `clock_timestamp()` cannot.
        try database.query(
            """
            with changes as (
              select host, path, due_at from sink_objects
              where sink = \(sink.id) and due_at < \(fragment: Self.changesEnd)
              order by due_at
              limit \(limit)
              for update skip locked),
            others as (
              select host, path, due_at from sink_objects
              where sink = \(sink.id) and due_at >= \(fragment: Self.changesEnd) and due_at <= statement_timestamp()
              order by due_at
              limit \(limit)
              for update skip locked),
            due as (
              select host, path, row_number() over (order by due_at) / 3.0 as place from changes
              union all
              select host, path, row_number() over (order by due_at) - \(claimed % 4)::integer / 4.0 from others
              order by place
              limit \(limit))
            update sink_objects
            set token = token + 1, attempts = attempts + 1,
              due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer)
            from due
            where sink_objects.sink = \(sink.id) and sink_objects.host = due.host and sink_objects.path = due.path
            returning sink_objects.host, sink_objects.path, sink_objects.token,
              sink_objects.attempts, sink_objects.activation
            """
        ).map { row in
            SinkObject(
                sink: sink, host: try row.decode("host", as: String.self),
                path: try row.decode("path", as: String.self), token: try row.decode("token", as: Int64.self),
                attempts: try row.decode("attempts", as: Int.self),
                activation: try row.decode("activation", as: Int64?.self))
        }
    }

    /// The time until the next object of a sink is due, or `nil` if the sink has no objects.
    public func nextObjectDue(of sink: Sink) throws -> Duration? {
        try database.first(
            """
            select ceil(extract(epoch from due_at - clock_timestamp()) * 1000)::bigint as milliseconds
            from sink_objects
            where sink = \(sink.id) and due_at is not null
            order by due_at
            limit 1
            """
        ).map { .milliseconds(try $0.decode("milliseconds", as: Int64.self)) }
    }

    /// The desired state of an object that the worker holds. Throws `SinkObjectLost`.
    ///
    /// - Returns: The state, or `nil` if no version was ever live on the host.
    public func want(of object: SinkObject) throws -> SinkWant? {
        // Joined by value, because the collation of `sink_objects.host` differs from that of the claims' indexes.
        let row = try database.first(
            """
            select claims.organization_id, coalesce(claims.activation, ended_hosts.activation) as activation,
              claims.version, claims.sha256
            from sink_objects
            left join claims on claims.host = \(object.host) and claims.activation is not null
            left join ended_hosts on ended_hosts.host = \(object.host)
            where sink_objects.sink = \(object.sink.id) and sink_objects.host = \(object.host)
              and sink_objects.path = \(object.path) and sink_objects.token = \(object.token)
            """)
        guard let row else { throw SinkObjectLost() }
        guard let activation = try row.decode("activation", as: Int64?.self) else { return nil }
        return SinkWant(
            organization: try row.decode("organization_id", as: UUID?.self).map(ID.init), activation: activation,
            version: try row.decode("version", as: Int?.self), sha256: try row.decode("sha256", as: [UInt8]?.self))
    }

    /// Records that an object is up to date, or that it has no desired state. Throws `SinkObjectLost`.
    public func markCurrent(_ object: SinkObject, as want: SinkWant?) throws {
        try database.markCurrent(object, as: want)
    }

    /// Schedules the next attempt at an object. Throws `SinkObjectLost`.
    public func postpone(_ object: SinkObject, seconds: Double, cause: String) throws {
        let postponed = try database.execute(
            """
            update sink_objects
            set due_at = clock_timestamp() + make_interval(secs => \(seconds)), cause = \(cause),
              behind_since = coalesce(behind_since, clock_timestamp())
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token = \(object.token)
            """)
        guard postponed == 1 else { throw SinkObjectLost() }
    }

    /// Gives an object back without counting the attempt. If the object is a change, it becomes the first of the
    /// changes again.
    public func giveBack(_ object: SinkObject) throws {
        try database.execute(
            """
            update sink_objects
            set due_at = case when attempts = 1 then \(fragment: Self.ahead) else clock_timestamp() end,
              attempts = attempts - 1
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token = \(object.token)
            """)
    }

    /// Makes an object due again, before all others, even if a worker holds it. Use it if a late write of another
    /// worker may have changed the object.
    public func requeue(_ object: SinkObject) throws {
        try database.execute(
            """
            update sink_objects set due_at = \(fragment: Self.ahead), token = token + 1
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token > \(object.token)
            """)
    }

    /// Records that nothing in a sink can be read, or that it can be read again (`nil`). The record expires after half
    /// a minute, so repeat the call while the failure lasts.
    public func note(_ sink: Sink, failure: String?) throws {
        try database.execute(
            """
            update sinks
            set failure = \(failure), failed_at = case when \(failure)::text is not null then clock_timestamp() end
            where id = \(sink.id)
            """)
    }

    /// The number of objects of a sink that are not up to date, and the number of those that have failed at least once.
    public func objectsBehind(of sink: Sink) throws -> (behind: Int, failing: Int) {
        let row = try database.only(
            """
            select count(*) as behind, count(cause) as failing from sink_objects
            where sink = \(sink.id) and due_at is not null and behind_since is not null
            """)
        return (try row.decode("behind", as: Int.self), try row.decode("failing", as: Int.self))
    }
}

extension TenantTransaction {
    /// Records that an object was repaired, with its states before the repair. Throws `SinkObjectLost`, also if the
    /// organization does not hold the host's claim.
    public func markCurrent(_ object: SinkObject, as want: SinkWant, repairing found: [String]) throws {
        let claim = try database.first(
            "select 1 as one from claims where organization_id = \(organization.uuid) and host = \(object.host)")
        guard claim != nil else { throw SinkObjectLost() }
        try database.markCurrent(object, as: want)
        try audit(
            .sinkRepaired, try Host(object.host),
            [
                "sink": .string(object.sink.name), "path": .string(object.path),
                "found": .array(found.map { .string($0) }),
                "version": want.version.map { .int($0) } ?? .null, "activation": .int(Int(want.activation)),
            ])
    }

    /// The progress of a host's file in each sink in use, sorted by name.
    func sinks(of host: Host) throws -> [DomainServing.Bucket] {
        try database.query(
            """
            select sinks.name, sinks.listed_at, min(sink_objects.activation) as activation,
              count(sink_objects.activation) as shown,
              bool_or(sink_objects.activation is distinct from claims.activation
                or sink_objects.behind_since is not null) as is_behind,
              min(coalesce(sink_objects.behind_since, claims.live_since)) filter (
                where sink_objects.activation is distinct from claims.activation
                  or sink_objects.behind_since is not null) as since,
              coalesce(min(sink_objects.cause) filter (where sink_objects.behind_since is not null), sinks.failure)
                as cause,
              sinks.cause as listing_cause
            from claims
            cross join (
              select distinct on (name) id, name, listed_at, cause,
                case when failed_at > now() - interval '30 seconds' then failure end as failure
              from sinks
              where seen_at > now() - interval '1 day'
              order by name, opened_at desc) as sinks
            left join sink_objects on sink_objects.sink = sinks.id and sink_objects.host = claims.host
            where claims.organization_id = \(organization.uuid) and claims.host = \(host.description)
              and claims.activation is not null
            group by sinks.name, sinks.listed_at, sinks.failure, sinks.cause
            order by sinks.name
            limit 100
            """
        ).map { row in
            let isBehind = try row.decode("is_behind", as: Bool.self)
            let cause = isBehind ? try row.decode("cause", as: String?.self) : nil
            let isWhole = try row.decode("shown", as: Int.self) == 2
            return DomainServing.Bucket(
                name: try row.decode("name", as: String.self),
                state: !isBehind ? .current : cause == nil ? .behind : .failing,
                activation: isWhole ? try row.decode("activation", as: Int64?.self) : nil,
                since: isBehind ? try row.decode("since", as: Date?.self) : nil,
                cause: cause, listingCause: try row.decode("listing_cause", as: String?.self),
                comparedAt: try row.decode("listed_at", as: Date?.self))
        }
    }
}

extension Database {
    fileprivate func markCurrent(_ object: SinkObject, as want: SinkWant?) throws {
        let updated = try execute(
            """
            update sink_objects
            set activation = \(want?.activation), sha256 = \(want?.sha256), attempts = 0, cause = null, due_at = null,
              behind_since = null, applied_at = clock_timestamp()
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token = \(object.token)
            """)
        guard updated == 1 else { throw SinkObjectLost() }
    }
}
