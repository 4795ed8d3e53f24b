import AASA
import FoundationEssentials
import Postgres

/// The state of an organization's list of events.
public struct EventNews: Hashable, Sendable {
    /// The newest position; 0 before the first event.
    public let newest: Int64
    /// Whether committed events have no position yet.
    public let awaitsPlaces: Bool
}

extension Lookup where Value == EventNews {
    /// The state of the list of events.
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

extension TenantTransaction {
    /// The maximum number of events that one transaction numbers.
    public static let mostEventsPlacedAtOnce = 5_000

    /// Numbers committed events that have no position, after the newest and in the order of their entries; at most
    /// ``mostEventsPlacedAtOnce``. Other calls wait until this transaction ends.
    ///
    /// - Returns: how many were numbered.
    public func placeEvents() throws -> Int {
        // An advisory lock, not a lock of a row, so that writers never wait for it.
        try database.execute(
            "select pg_advisory_xact_lock(hashtextextended('events of ' || \(organization.description), 0))")
        // In its own statement, so that it sees everything that the previous holder of the lock has committed.
        return try database.execute(
            """
            with placed as (
              select entry_id, row_number() over (order by entry_id) as number
              from events
              where organization_id = \(organization.uuid) and position is null
              order by entry_id
              limit \(Self.mostEventsPlacedAtOnce)
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

    /// The events after a position, oldest first, up to a position that the caller has already seen.
    public func events(
        after position: Int64, upTo newest: Int64, limit: Int = Page.usualLimit, _ filter: EventFilter = EventFilter()
    ) throws -> [Event] {
        try events(
            filter, in: "events.position > \(position) and events.position <= \(newest)", by: "events.position",
            limit: limit)
    }

    /// The events, newest first. The page's key is the position of the last one of the page before.
    public func newestEvents(_ page: Page, _ filter: EventFilter = EventFilter()) throws -> Listing<Event> {
        let before = try page.key { Int64($0) } ?? Int64.max
        let events = try events(
            filter, in: "events.position < \(before)", by: "events.position desc", limit: page.rowsToRead)
        return Listing(reading: events, of: page, key: { String($0.position) })
    }

    private func events(_ filter: EventFilter, in range: SQL, by order: SQL, limit: Int) throws -> [Event] {
        try database.query(
            """
            select events.position, events.kind, events.host, entries.at, entries.subject, entries.actor_kind,
              entries.actor_name, entries.detail
            from (\(fragment: first(filter, in: range, by: order, limit: limit))) as events
            join audit_entries as entries
              on entries.organization_id = \(organization.uuid) and entries.id = events.entry_id
            order by \(fragment: order)
            """
        ).map(Event.init(row:))
    }

    /// The first events of a range of positions. For a host, it combines the first events with its name and the first
    /// of each kind that concerns it, each from an index in this order. So the number of rows read depends on the
    /// limit, and not on the number of events.
    private func first(_ filter: EventFilter, in range: SQL, by order: SQL, limit: Int) -> SQL {
        let ofKind: SQL? = filter.kinds.map { "and events.kind = any(\($0.map(\.rawValue)))" }
        func ordered(_ condition: SQL) -> SQL {
            """
            select events.entry_id, events.position, events.kind, events.host from events
            where events.organization_id = \(organization.uuid) and \(fragment: range) \(fragment: ofKind ?? "")
              \(fragment: condition)
            order by \(fragment: order)
            limit \(limit)
            """
        }
        guard let host = filter.host else { return ordered("") }
        return """
            select events.* from (
              select named.* from (\(fragment: ordered("and events.host = \(host.description)"))) as named
              union all
              select concerning.* from (\(fragment: concerns(of: host))) as own
              cross join lateral (\(fragment: ordered("and events.concerns = own.concerns"))) as concerning
            ) as events
            order by \(fragment: order)
            limit \(limit)
            """
    }
}
