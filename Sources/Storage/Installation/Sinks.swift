import AASA
import FoundationEssentials
import Postgres
import StrictJSON

/// A bucket to which files are pushed, as it was opened.
public struct Sink: Hashable, Sendable {
    /// Its name, 1 to 63 characters; organizations see it.
    public let name: String
    let id: Int64
}

/// An object of a sink that a worker has to look after, until its lease is over or somebody else has a higher token.
public struct SinkObject: Hashable, Sendable {
    /// The paths at which Apple looks for a host's file.
    public static let paths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]

    /// The sink.
    public let sink: Sink
    /// The host.
    public let host: String
    /// The path on the host, with its slash at the beginning.
    public let path: String
    /// Rises when the object is claimed, and when there is something new for it.
    public let token: Int64
    /// How often it was tried since it was right last, this time included.
    public let attempts: Int
    /// The activation that the object was seen to show last; `nil` before the first.
    public let activation: Int64?
}

/// What an object shall show.
public struct SinkWant: Hashable, Sendable {
    /// Whose host it is.
    public let organization: ID<Organization>
    /// The number of the change that made it so.
    public let activation: Int64
    /// The version; `nil` when the host was withdrawn.
    public let version: Int?
    /// Its SHA-256; `nil` when the host was withdrawn.
    public let sha256: [UInt8]?
}

/// The object is no longer this worker's: its lease is over, or there is something new for it.
public struct SinkObjectLost: Error, Hashable {
    /// The one value.
    public init() {}
}

extension Installation {
    /// So many changes are queued at once, so that a statement ends in time however many there are.
    public static let mostChanges = 2_000

    /// Makes a sink known, or finds it again. Under another address it is another sink, and the one that counts for what
    /// people see is the one that was opened last.
    ///
    /// - Parameters:
    ///   - name: 1 to 63 characters.
    ///   - address: where it is.
    public func openSink(_ name: String, at address: String) throws -> Sink {
        try database.execute("delete from sinks where seen_at < clock_timestamp() - interval '30 days'")
        let row = try database.only(
            """
            insert into sinks (name, address) values (\(name), \(address))
            on conflict (name, address) do update set opened_at = clock_timestamp(), seen_at = clock_timestamp()
            returning id
            """)
        return Sink(name: name, id: try row.decode("id", as: Int64.self))
    }

    /// Makes due what has changed since the last time, at most so many hosts; when called again, the next ones. A worker
    /// that holds one of those objects loses it.
    public func queueChanges(of sink: Sink, atMost limit: Int = mostChanges) throws {
        // In a statement of its own: what the next one sees is then newer than what this one waited for.
        let known = try database.only(
            """
            select activation, seen_at < clock_timestamp() - interval '30 seconds' as is_old from sinks
            where id = \(sink.id)
            for update
            """)
        let activation = try known.decode("activation", as: Int64.self)
        let last = try lastActivation()
        let isOld = try known.decode("is_old", as: Bool.self)
        guard last > activation || isOld else { return }
        // Whoever sees an activation sees every one before it: those after the last of a full page come next.
        let changed = try database.only(
            """
            with changed as (
              select host, activation from claims
              where activation > \(activation)
              order by activation
              limit \(limit)),
            queued as (
              insert into sink_objects (sink, host, path)
              select \(sink.id), changed.host, paths.path
              from changed
              cross join unnest(\(SinkObject.paths)) as paths (path)
              order by changed.host, paths.path
              on conflict (sink, host, path) do update
              set due_at = clock_timestamp(), token = sink_objects.token + 1, attempts = 0,
                behind_since = coalesce(sink_objects.behind_since, clock_timestamp()))
            select count(*) as hosts, max(activation) as last from changed
            """)
        let isAll = try changed.decode("hosts", as: Int.self) < limit
        let reached = max(try changed.decode("last", as: Int64?.self) ?? 0, isAll ? last : 0)
        try database.execute(
            """
            update sinks set activation = \(reached), seen_at = clock_timestamp() where id = \(sink.id)
            """)
    }

    /// Claims objects that are due, those that wait longest first.
    public func claimObjects(of sink: Sink, atMost limit: Int, leaseSeconds: Int) throws -> [SinkObject] {
        try database.query(
            """
            update sink_objects
            set token = token + 1, attempts = attempts + 1,
              due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer)
            from (
              select host, path from sink_objects
              where sink = \(sink.id) and due_at <= clock_timestamp()
              order by due_at
              limit \(limit)
              for update skip locked) as due
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

    /// Until the next object of a sink is due; `nil` when none is.
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

    /// What an object shall show, as long as the worker holds it. Throws `SinkObjectLost`.
    ///
    /// - Returns: `nil` when nothing was ever live on the host.
    public func want(of object: SinkObject) throws -> SinkWant? {
        let row = try database.first(
            """
            select claims.organization_id, claims.activation, claims.version, claims.sha256
            from sink_objects
            left join claims on claims.host = sink_objects.host and claims.activation is not null
            where sink_objects.sink = \(object.sink.id) and sink_objects.host = \(object.host)
              and sink_objects.path = \(object.path) and sink_objects.token = \(object.token)
            """)
        guard let row else { throw SinkObjectLost() }
        guard let activation = try row.decode("activation", as: Int64?.self) else { return nil }
        return SinkWant(
            organization: try row.id("organization_id"), activation: activation,
            version: try row.decode("version", as: Int?.self), sha256: try row.decode("sha256", as: [UInt8]?.self))
    }

    /// Notes that an object shows what it shall, or that nothing is wanted of it. Throws `SinkObjectLost`.
    public func settle(_ object: SinkObject, as want: SinkWant?) throws { try database.settle(object, as: want) }

    /// Puts an object off. Throws `SinkObjectLost`.
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

    /// Gives an object back as if it had not been claimed.
    public func giveBack(_ object: SinkObject) throws {
        try database.execute(
            """
            update sink_objects set due_at = clock_timestamp(), attempts = attempts - 1
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token = \(object.token)
            """)
    }

    /// Has an object looked at once more, whoever holds it: a write of this worker may have come too late.
    public func doubt(_ object: SinkObject) throws {
        try database.execute(
            """
            update sink_objects set due_at = clock_timestamp(), token = token + 1
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token > \(object.token)
            """)
    }

    /// How many objects of a sink are not yet as they shall be, and how many of those have failed at least once.
    public func objectsBehind(of sink: Sink) throws -> (behind: Int, failing: Int) {
        let row = try database.only(
            """
            select count(*) as behind, count(cause) as failing from sink_objects
            where sink = \(sink.id) and due_at is not null and behind_since is not null
            """)
        return (try row.decode("behind", as: Int.self), try row.decode("failing", as: Int.self))
    }
}

extension Tenant {
    /// Notes that an object shows again what it shall, and what was found in its place. Throws `SinkObjectLost`, also
    /// when the organization does not hold the host's claim.
    public func settle(_ object: SinkObject, as want: SinkWant, repairing found: [String]) throws {
        let claim = try database.first(
            "select 1 as one from claims where organization_id = \(organization.uuid) and host = \(object.host)")
        guard claim != nil else { throw SinkObjectLost() }
        try database.settle(object, as: want)
        try audit(
            .sinkRepaired, try Host(object.host),
            [
                "sink": .string(object.sink.name), "path": .string(object.path),
                "found": .array(found.map { .string($0) }),
                "version": want.version.map { .int($0) } ?? .null, "activation": .int(Int(want.activation)),
            ])
    }

    /// How far the file of a host has got in each sink that is in use, by name.
    func sinks(of host: Host) throws -> [DomainServing.Bucket] {
        try database.query(
            """
            select sinks.name, sinks.listed_at, min(sink_objects.activation) as activation,
              count(sink_objects.activation) as shown,
              bool_or(sink_objects.activation is distinct from claims.activation
                or sink_objects.behind_since is not null) as is_behind,
              min(coalesce(sink_objects.behind_since, claims.live_since)) as since,
              min(sink_objects.cause) filter (where sink_objects.behind_since is not null) as cause
            from claims
            cross join (
              select distinct on (name) id, name, listed_at from sinks
              where seen_at > now() - interval '1 day'
              order by name, opened_at desc) as sinks
            left join sink_objects on sink_objects.sink = sinks.id and sink_objects.host = claims.host
            where claims.organization_id = \(organization.uuid) and claims.host = \(host.description)
              and claims.activation is not null
            group by sinks.name, sinks.listed_at
            order by sinks.name
            limit 100
            """
        ).map { row in
            let isBehind = try row.decode("is_behind", as: Bool.self)
            let cause = try row.decode("cause", as: String?.self)
            let isWhole = try row.decode("shown", as: Int.self) == 2
            return DomainServing.Bucket(
                name: try row.decode("name", as: String.self),
                state: !isBehind ? .current : cause == nil ? .behind : .failing,
                activation: isWhole ? try row.decode("activation", as: Int64?.self) : nil,
                since: isBehind ? try row.decode("since", as: Date?.self) : nil, cause: isBehind ? cause : nil,
                comparedAt: try row.decode("listed_at", as: Date?.self))
        }
    }
}

extension Database {
    fileprivate func settle(_ object: SinkObject, as want: SinkWant?) throws {
        let settled = try execute(
            """
            update sink_objects
            set activation = \(want?.activation), sha256 = \(want?.sha256), attempts = 0, cause = null, due_at = null,
              behind_since = null, applied_at = clock_timestamp()
            where sink = \(object.sink.id) and host = \(object.host) and path = \(object.path)
              and token = \(object.token)
            """)
        guard settled == 1 else { throw SinkObjectLost() }
    }
}
