import AASA
import FoundationEssentials
import Postgres

/// The newest position in an organization's event list, and whether events still need a position.
public struct EventNews: Hashable, Sendable {
    /// The newest position, or 0 before the first event.
    public let newest: Int64
    /// Whether some committed events have no position yet. ``TenantTransaction/placeEvents()`` gives them one.
    public let awaitsPlaces: Bool
}

extension Lookup where Value == EventNews {
    /// Reads the state of the organization's event list.
    public static var eventNews: Self {
        Lookup { organization in
            """
            select
              coalesce((
                select position from events
                where organization_id = \(organization.uuid) and position is not null
                order by position desc
                limit 1
              ), 0) as newest,
              exists (
                select from events where organization_id = \(organization.uuid) and position is null
              ) as awaits_places
            """
        } decode: { rows in
            guard let row = rows.first else { throw CorruptRow(column: "newest") }
            return EventNews(
                newest: try row.decode("newest", as: Int64.self),
                awaitsPlaces: try row.decode("awaits_places", as: Bool.self))
        }
    }
}

extension SystemTransaction {
    /// The organizations with events that have no position yet, sorted by ID; at most 100.
    ///
    /// - Parameter last: The last organization that the previous call returned, or `nil` for the first call.
    public func organizationsWithUnplacedEvents(after last: ID<Organization>? = nil) throws -> [ID<Organization>] {
        let after: SQL = last.map { "where organization_id > \($0.uuid)" } ?? ""
        return try database.query(
            """
            select distinct organization_id from unplaced_events
            \(fragment: after)
            order by organization_id
            limit 100
            """
        ).map { try $0.id("organization_id") }
    }
}

extension TenantTransaction {
    /// The maximum number of events that get a position in one transaction.
    public static let maximumEventsPlacedAtOnce = 5_000

    /// Gives committed events a position, in the order of their entries, after the newest position. Handles at most
    /// ``maximumEventsPlacedAtOnce`` events. Other calls for the organization wait until this transaction ends.
    ///
    /// - Returns: The number of events that got a position.
    public func placeEvents() throws -> Int {
        // An advisory lock instead of a row lock, so that writers never wait for it.
        try database.execute(
            "select pg_advisory_xact_lock(hashtextextended('events of ' || \(organization.description), 0))")
        // This must be a separate statement. It then sees the events that the previous holder of the lock has
        // committed.
        return try database.execute(
            """
            with placed as (
              select entry_id, row_number() over (order by entry_id) as number
              from events
              where organization_id = \(organization.uuid) and position is null
              order by entry_id
              limit \(Self.maximumEventsPlacedAtOnce)
            ),
            newest as (
              select coalesce(max(position), 0) as position from events where organization_id = \(organization.uuid)
            )
            update events
            set position = newest.position + placed.number
            from placed, newest
            where events.organization_id = \(organization.uuid) and events.entry_id = placed.entry_id
            """)
    }

    /// Gives events a position like ``placeEvents()``, for a worker. When every event has a position, deletes the
    /// organization's rows in `unplaced_events`. Rows that an open transaction has locked are kept: that transaction
    /// relies on them, because its events have no position yet.
    ///
    /// - Returns: Whether there may be more events without a position.
    public func placeNotedEvents() throws -> Bool {
        let noted = try database.query(
            """
            select id from unplaced_events where organization_id = \(organization.uuid) for update skip locked
            """
        ).map { try $0.decode("id", as: Int.self) }
        // This must run after the statement that locks the rows. It then sees the events of all transactions that held
        // these rows before.
        let hasMore = try placeEvents() == Self.maximumEventsPlacedAtOnce
        try database.execute(
            "insert into unsealed_trails (organization_id) values (\(organization.uuid)) on conflict do nothing")
        if hasMore { return true }
        try database.execute(
            "delete from unplaced_events where organization_id = \(organization.uuid) and id = any(\(noted))")
        return false
    }

    /// The events after `position` up to `newest`, oldest first.
    ///
    /// - Parameters:
    ///   - position: The last position that the caller has seen.
    ///   - newest: The newest position to return, from ``EventNews/newest``.
    public func events(
        after position: Int64, upTo newest: Int64, limit: Int = Page.usualLimit, _ filter: EventFilter = EventFilter()
    ) throws -> [Event] {
        try events(filter, in: EventRange(after: position, upTo: newest), limit: limit)
    }

    /// The events that match a filter, newest first. The page's key is the position of the last item on the previous
    /// page.
    public func newestEvents(_ page: Page, _ filter: EventFilter = EventFilter()) throws -> Listing<Event> {
        let before = try page.key { Int64($0) } ?? Int64.max
        let range = EventRange(after: 0, upTo: max(before, 1) - 1, isNewestFirst: true)
        let events = try events(filter, in: range, limit: page.rowsToRead)
        return Listing(reading: events, of: page, key: { String($0.position) })
    }

    private func events(_ filter: EventFilter, in range: EventRange, limit: Int) throws -> [Event] {
        let range = try narrowed(range, to: filter)
        let statement: SQL = """
            select events.position, events.kind, events.host, events.act, entries.at, entries.subject,
              entries.actor_kind, entries.actor_name, entries.reason, entries.request_id, entries.address,
              entries.detail
            from (\(fragment: first(filter, in: range, limit: limit))) as events
            cross join lateral (
              select entries.at, entries.subject, entries.actor_kind, entries.actor_name, entries.reason,
                entries.request_id, entries.address, entries.detail
              from audit_entries as entries
              where entries.organization_id = \(organization.uuid) and entries.id = events.entry_id
              limit 1
            ) as entries
            order by \(fragment: range.order)
            """
        // PostgreSQL plans this query on each run, because the best index depends on how many events match the author
        // or the act.
        let isPlanned = filter.actor != nil || filter.act != nil
        return try database.query(isPlanned ? .replanned(statement) : statement).map(Event.init(row:))
    }

    /// Limits the range to the filter's position and times.
    private func narrowed(_ range: EventRange, to filter: EventFilter) throws -> EventRange {
        var range = range
        if let position = filter.position {
            range.after = max(range.after, position - 1)
            range.upTo = min(range.upTo, position)
        }
        guard filter.since != nil || filter.until != nil else { return range }
        range.upTo = min(range.upTo, try read(.eventNews).newest)
        if let until = filter.until { range.upTo = try position(at: until, upTo: range.upTo) - 1 }
        if let since = filter.since { range.after = max(range.after, try position(at: since, upTo: range.upTo) - 1) }
        return range
    }

    /// The position of the first event at `time` or later, by binary search. If there is no such event, `newest` + 1.
    private func position(at time: Date, upTo newest: Int64) throws -> Int64 {
        var (first, end) = (Int64(1), newest + 1)
        while first < end {
            let middle = first + (end - first) / 2
            let row = try database.first(
                """
                select entries.at >= \(time) as is_later
                from events
                join audit_entries as entries
                  on entries.organization_id = events.organization_id and entries.id = events.entry_id
                where events.organization_id = \(organization.uuid) and events.position = \(middle)
                """)
            if try row?.decode("is_later", as: Bool.self) ?? true { end = middle } else { first = middle + 1 }
        }
        return first
    }

    /// A condition: the event is one that a request made. A request makes few, so an index on their entries finds them.
    private func entries(of request: String) -> SQL {
        """
        and events.entry_id = any(array(
          select id from audit_entries where organization_id = \(organization.uuid) and request_id = \(request)))
        """
    }

    /// Selects the first events in a range of positions that match a filter, at most `limit`.
    ///
    /// The query is a union of parts. An index returns the rows of each part already sorted, so the number of rows read
    /// depends on the limit, not on the number of events. The parts are:
    /// - for a host: the events with this host, and the events of each value of `concerns` that includes the host;
    /// - for kinds without a host: the events of each kind.
    ///
    /// If there are several filters, an index applies one of them, and the others are tested on its rows.
    private func first(_ filter: EventFilter, in range: EventRange, limit: Int) -> SQL {
        func ordered(_ condition: SQL, by order: SQL? = nil) -> SQL {
            """
            select events.entry_id, events.position, events.kind, events.host, events.act from events
            where events.organization_id = \(organization.uuid) and \(fragment: condition)
            order by \(fragment: order ?? range.order)
            limit \(limit)
            """
        }
        let kinds = filter.kinds.map { $0.map(\.rawValue) }
        let ofKinds: SQL = kinds.map { "and events.kind = any(\($0))" } ?? ""
        let ofActor: SQL = filter.actor.map { "and events.actor = lower(\($0))" } ?? ""
        let ofRequest: SQL = filter.request.map { entries(of: $0) } ?? ""
        let ofWhole: SQL = filter.withoutParts ? "and not events.is_part" : ""
        let whole: SQL = "\(fragment: ofRequest) \(fragment: ofWhole)"
        if let host = filter.host {
            let ofAct: SQL = filter.act.map { "and events.act = \($0.description)" } ?? ""
            let condition: SQL =
                "\(fragment: range.condition) \(fragment: ofKinds) \(fragment: ofActor) \(fragment: ofAct) \(fragment: whole)"
            let named = ordered("\(fragment: condition) and events.host = \(host.description)")
            return """
                select events.* from (
                  select named.* from (\(fragment: named)) as named
                  union all
                  select concerning.* from (\(fragment: concerns(of: host))) as own
                  cross join lateral (
                    \(fragment: ordered("\(fragment: condition) and events.concerns = own.concerns"))
                  ) as concerning
                ) as events
                order by \(fragment: range.order)
                limit \(limit)
                """
        }
        if let act = filter.act {
            return ordered(
                "events.act = \(act.description) and \(fragment: range.condition) \(fragment: ofKinds) \(fragment: ofActor) \(fragment: whole)"
            )
        }
        guard filter.actor == nil else {
            return ordered("\(fragment: range.condition) \(fragment: ofActor) \(fragment: ofKinds) \(fragment: whole)")
        }
        guard let kinds else { return ordered("\(fragment: range.condition) \(fragment: whole)") }
        let ofKind = ordered(
            "\(fragment: range.conditionOnWantedKind) \(fragment: whole)", by: range.orderOfKinds)
        return """
            select events.* from (select distinct unnest(\(kinds)::text[]) as kind) as wanted
            cross join lateral (\(fragment: ofKind)) as events
            order by \(fragment: range.order)
            limit \(limit)
            """
    }
}

/// A range of positions of events, and the order in which they are read.
private struct EventRange {
    var after: Int64
    var upTo: Int64
    var isNewestFirst = false

    var condition: SQL { "events.position > \(after) and events.position <= \(upTo)" }

    var order: SQL { isNewestFirst ? "events.position desc" : "events.position" }

    /// The condition on events of `wanted.kind` in this range. It compares kind and position together as a row. If it
    /// compared the kind alone, PostgreSQL could use the index on positions instead, and search all events for a rare
    /// kind.
    var conditionOnWantedKind: SQL {
        """
        (events.kind, events.position) > (wanted.kind, \(after))
          and (events.kind, events.position) <= (wanted.kind, \(upTo))
        """
    }

    var orderOfKinds: SQL {
        isNewestFirst ? "events.kind desc, events.position desc" : "events.kind, events.position"
    }
}
