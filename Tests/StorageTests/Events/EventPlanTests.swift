import AASA
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import Storage

/// The number of rows that are read for the events of a host, which the page of a domain asks for constantly, and for
/// the events of some kinds.
@Suite("Rows read for events")
struct EventPlanTests {
    private static let events: Int64 = 100_000

    private static let act = EventAct.release(ID())

    /// A hundred thousand events of an organization with ten thousand domains, all of them in four releases. Most
    /// events are about one busy host, and almost none about any other. Sixty thousand are parts of one act. Ada has
    /// made every thousandth. A request has made twenty.
    private static func fill(_ database: Database, _ organization: ID<Organization>) throws {
        let id = organization.uuid
        try database.execute("set local session_replication_role = replica")
        try database.execute(
            """
            insert into domains (organization_id, host, labels)
            select \(id), 'h' || n || '.example', array['shop', 'brand'] from generate_series(1, 10000) as n
            """)
        try database.execute(
            """
            insert into releases (
              organization_id, id, state, message, overrides, dry_run, requester_kind, requester_name, ended_at)
            select \(id), md5('r' || n)::uuid, 'cancelled', '', false, false, 'user', 'u', now()
            from generate_series(1, 4) as n
            """)
        try database.execute(
            """
            insert into release_domains (organization_id, release_id, host, state)
            select \(id), releases.id, domains.host, 'frozen' from releases, domains
            """)
        try database.execute(
            """
            insert into audit_entries (
              organization_id, id, at, actor_kind, actor_name, action, subject, detail, request_id)
            overriding system value
            select \(id), 1000000 + n, timestamptz '2026-01-01' + n * interval '1 second', 'user', 'u', 'draft.changed',
              's', '{}', case when n % 100 > 1 then 'request-' || n / 20 end
            from generate_series(1, \(events)::integer) as n
            """)
        try database.execute(
            """
            insert into events (organization_id, entry_id, position, actor, act, is_part, kind, host, concerns)
            select \(id), 1000000 + n, n, case n % 1000 when 3 then 'ada' else 'u' end,
              case when n between 20000 and 80000 then \(act.description)::text end, n between 20000 and 80000,
              case n % 100 when 0 then 'freeze.created' when 1 then 'release.live' else 'draft.changed' end,
              case when n % 100 > 1 then case when n % 1000 = 2 then 'h' || n / 1000 + 2 else 'h1' end || '.example' end,
              case n % 100
                when 0 then (array['every', 'label shop', 'label brand', 'label other'])[n / 100 % 4 + 1]
                when 1 then 'release ' || md5('r' || n / 100 % 6)::uuid
              end
            from generate_series(1, \(events)::integer) as n
            """)
    }

    private static func filters() throws -> [EventFilter] {
        var filters = try ["h1.example", "h77.example", "h9999.example", "absent.example"].map { host in
            EventFilter(host: try Host(host))
        }
        // A kind of almost all events, of some, and of none, and several together.
        filters += [[.draftChanged], [.releaseLive], [.teamCreated], [.freezeCreated, .releaseLive, .teamCreated]]
            .map { EventFilter(kinds: $0) }
        filters += ["Ada", "u", "absent"].map { EventFilter(actor: $0) }
        filters += [
            EventFilter(kinds: [.draftChanged], actor: "ada"), EventFilter(act: Self.act),
            EventFilter(act: .run(ID())),
            EventFilter(request: "request-4900"), EventFilter(request: "absent"),
            EventFilter(kinds: [.draftChanged], request: "request-4900"),
            EventFilter(withoutParts: true), EventFilter(kinds: [.releaseLive], withoutParts: true),
        ]
        // Each of the two times takes seventeen look-ups.
        let (since, until) = (try Self.time(second: 30_000), try Self.time(second: 60_000))
        filters += [
            EventFilter(since: since, until: until), EventFilter(actor: "ada", since: since, until: until),
            EventFilter(since: try Self.time(second: 200_000)),
        ]
        return filters
    }

    @Test("the number of rows read follows from the size of the answer, with a generic and with a custom plan")
    func rowsRead() async throws {
        try await withStore(connections: 1) { test in
            let organization = test.organization
            try await test.asSuperuser { try Self.fill($0, organization) }
            try await test.analyze()
            let filters = try Self.filters()
            for plan in ["force_generic_plan", "force_custom_plan"] {
                for filter in filters {
                    for after in [nil, 0, 500, Self.events - 100] {
                        let (found, read) = try await Self.read(filter, after: after, plan, test)
                        #expect(found > 0 || Self.isAbsent(filter) || after != nil, "\(filter) after \(after ?? -1)")
                        // Four releases, two labels, all domains, and the host's name; each adds at most fifty.
                        #expect(read < 600, "\(read) rows for \(found) events of \(filter) after \(after ?? -1)")
                    }
                }
            }
        }
    }

    private static func time(second: Int) throws -> Date {
        try Date("2026-01-01T00:00:00Z", strategy: .iso8601).addingTimeInterval(Double(second))
    }

    /// Whether no event matches a filter.
    private static func isAbsent(_ filter: EventFilter) -> Bool {
        filter.host?.description == "absent.example" || filter.kinds == [.teamCreated] || filter.actor == "absent"
            || filter.request == "absent"
            || (filter.act != nil && filter.act != act) || (filter.since != nil && filter.until == nil)
    }

    /// The number of events, and of rows that were read. Without a position to start from, the newest events are read.
    private static func read(
        _ filter: EventFilter, after: Int64?, _ plan: String, _ test: StoreUnderTest
    ) async throws -> (found: Int, read: Int) {
        // A transaction, because the setting is local to it.
        try await test.write { tenant in
            let before = try tenant.rowsRead(planning: plan)
            let found =
                if let after {
                    try tenant.events(after: after, upTo: events, limit: 50, filter).count
                } else {
                    try tenant.newestEvents(Page(limit: 50), filter).items.count
                }
            return (found, try tenant.rowsRead(planning: plan) - before)
        }
    }
}
