import AASA
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import Storage

/// The number of rows that are read for a page of each list, in an organization with ten thousand rows in it. The lists
/// of domains and of events have their own tests.
@Suite("Rows read for lists")
struct ListPlanTests {
    private static let host = "h1.example"
    /// The ID of row `n`.
    private static let rowID: SQL = "('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid"

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-0000-0000-" + String(String(1_000_000_000_000 + number).dropFirst())) ?? UUID()
    }

    private static func key(_ number: Int) -> String { id(number).uuidString.lowercased() }

    /// One domain has all publications and versions. Every thousandth publication and release is in a rare state. The
    /// first releases have ten thousand domains each.
    private static func fill(_ database: Database, _ organization: ID<Organization>) throws {
        let id = organization.uuid
        try database.execute("set local session_replication_role = replica")
        let rows: [SQL] = [
            """
            insert into teams (organization_id, team_id, name)
            select \(id), 'TEAM' || lpad(n::text, 6, '0'), 't' from generate_series(1, 10000) as n
            """,
            """
            insert into apps (organization_id, app_id, prefix, bundle_id, team_id, name, kind)
            select \(id), team_id || '.com.example', team_id, 'com.example', team_id,
              case when team_id like '%77' then 'Shop' else 'App' end, 'app'
            from teams
            """,
            """
            insert into app_words (organization_id, app_id, word)
            select distinct organization_id, app_id, word
            from apps, unnest(array[app_id, name]) as searched, word_ends(searched, 1) as word
            """,
            """
            insert into domains (organization_id, host) select \(id), 'h' || n || '.example' from generate_series(1, 10000) as n
            """,
            """
            insert into draft_apps (organization_id, host, app_id)
            select organization_id, host, 'TEAM000001.com.example' from domains
            """,
            """
            insert into versions (
              organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report)
            select \(id), \(host), n, sha256(''), 2, 1, '', 'user', 'u', '{}' from generate_series(1, 10000) as n
            """,
            """
            insert into publications (
              organization_id, id, host, version, state, message, overrides, requester_kind, requester_name, report,
              activation, created_at, ended_at)
            select \(id), \(fragment: rowID), \(host), 1,
              case when n % 1000 = 1 then 'failed' when n % 100 = 2 then 'scheduled' else 'live' end, '', false, 'user', 'u',
              '{}', case when n % 1000 <> 1 and n % 100 <> 2 then n end, now() - n / 5000 * interval '1 day',
              case when n % 100 <> 2 then now() end
            from generate_series(1, 10000) as n
            """,
            """
            insert into releases (
              organization_id, id, state, message, overrides, dry_run, requester_kind, requester_name, activation,
              created_at, ended_at, counts)
            select \(id), \(fragment: rowID), case when n % 1000 = 1 then 'failed' else 'live' end, '', false, false, 'user',
              'u', case when n % 1000 <> 1 then n end, now() - n * interval '1 minute', now(), '{"live":10000}'
            from generate_series(1, 10000) as n
            """,
            """
            insert into release_domains (organization_id, release_id, host, state)
            select \(id), \(fragment: rowID), host, case when host like '%99.example' then 'refused' else 'live' end
            from generate_series(1, 3) as n, domains
            """,
            """
            insert into release_domains (organization_id, release_id, host, state)
            select \(id), \(fragment: rowID), \(host), 'live' from generate_series(10, 5000) as n
            """,
            """
            insert into replacements (
              organization_id, id, app_id, replacement_app_id, state, message, requester_kind, requester_name, ended_at,
              counts)
            select \(id), \(fragment: rowID), 'TEAM000001.com.example', 'TEAM000002.com.example', 'done', '', 'user', 'u',
              now(), '{"total":10000,"waiting":0,"changed":10000,"refused":0,"tests":0}'
            from generate_series(1, 100) as n
            """,
            """
            insert into replacement_domains (organization_id, replacement_id, host, state)
            select \(id), \(fragment: rowID), host, 'changed' from generate_series(1, 2) as n, domains
            """,
            """
            insert into freezes (organization_id, id, label, reason, creator_kind, creator_name, created_at, ends_at)
            select \(id), \(fragment: rowID), 'mine', 'r', 'user', 'u', now() - n * interval '1 hour',
              now() + case when n % 1000 = 3 then 1 else -1 end * interval '30 minutes'
            from generate_series(1, 10000) as n
            """,
            """
            insert into schedules (
              organization_id, id, name, label, expression, zone, message, catch_up_seconds, state, handled_until,
              creator_kind, creator_name)
            values (\(id), \(Self.id(1)), 's', 'mine', '@daily', 'UTC', '', 0, 'paused', now(), 'user', 'u')
            """,
            """
            insert into schedule_runs (
              organization_id, id, schedule_id, due_at, kind, state, hosts, host_count, failed, missed, requester_kind,
              requester_name, ended_at)
            select \(id), \(fragment: rowID), \(Self.id(1)), now() - n * interval '1 minute', 'due', 'ended', '{}', 10000,
              1, 0, 'user', 'u', now()
            from generate_series(1, 10000) as n
            """,
            """
            insert into schedule_outcomes (organization_id, run_id, host, outcome)
            select \(id), \(Self.id(1)), host, 'failed' from domains
            """,
            """
            insert into withdrawals (
              organization_id, id, host, state, reason, requester_kind, requester_name, due_at, created_at, ended_at)
            select \(id), \(fragment: rowID), \(host), 'cancelled', 'r', 'user', 'u', now(), now() - n * interval '1 hour',
              now()
            from generate_series(1, 10000) as n
            """,
            """
            insert into tests (organization_id, id, host, position, url, outcome, note)
            select \(id), \(fragment: rowID), \(host), n, '/' || n, 'none', '' from generate_series(1, 10000) as n
            """,
        ]
        for statement in rows { try database.execute(statement) }
    }

    /// Reads a page of a list, and returns the number of its items.
    private typealias Reading = @Sendable (TenantTransaction) throws -> Int

    private static func lists() throws -> [(name: String, found: Int, reading: Reading)] {
        let host = try Host(host)
        let app = try AppID("TEAM000001.com.example")
        let middle = Page(after: "TEAM005000")
        return [
            ("teams", 50, { try $0.teams(middle).items.count }),
            ("apps", 50, { try $0.apps(middle).items.count }),
            ("apps, few found", 50, { try $0.apps(Page(), search: "shop").items.count }),
            ("apps, one found", 1, { try $0.apps(Page(), search: "team007000").items.count }),
            ("apps, all found", 50, { try $0.apps(middle, search: "com.example").items.count }),
            ("apps, none found", 0, { try $0.apps(Page(), search: "hop").items.count }),
            ("versions", 50, { try $0.versions(host, Page(after: "5000")).items.count }),
            ("publications", 50, { try $0.publications(Page(after: key(9000))).items.count }),
            ("failed publications", 10, { try $0.publications(Page(), .state(.failed)).items.count }),
            ("live publications", 50, { try $0.publications(Page(after: key(9000)), .state(.live)).items.count }),
            ("pending publications", 50, { try $0.publications(Page(after: key(4902)), .pending).items.count }),
            ("publications of a host", 50, { try $0.publications(host, Page(after: key(9000))).items.count }),
            ("releases", 50, { try $0.releases(Page(after: key(5000))).items.count }),
            ("failed releases", 10, { try $0.releases(Page(), .state(.failed)).items.count }),
            ("pending releases", 0, { try $0.releases(Page(), .pending).items.count }),
            ("releases with a busy host", 50, { try $0.releases(Page(), with: host).items.count }),
            ("releases with another host", 3, { try $0.releases(Page(), with: Host("h2.example")).items.count }),
            ("a release's domains", 50, { try $0.domains(of: ID(id(1)), Page(after: "h5")).items.count }),
            ("its refused domains", 50, { try $0.domains(of: ID(id(1)), Page(), state: .refused).items.count }),
            ("its moved domains", 0, { try $0.domains(of: ID(id(1)), Page(), state: .moved).items.count }),
            ("replacements", 50, { try $0.replacements(of: app, Page()).items.count }),
            ("freezes", 50, { try $0.freezes(Page(after: key(5000))).items.count }),
            ("active freezes", 10, { try $0.freezes(Page(), isCurrent: true).items.count }),
            ("ended freezes", 50, { try $0.freezes(Page(), isCurrent: false).items.count }),
            ("runs", 50, { try $0.runs(of: ID(id(1)), Page(after: key(5000))).items.count }),
            ("outcomes", 50, { try $0.outcomes(of: $0.run(ID(id(1)), of: ID(id(1))), Page(after: "h5")).items.count }),
            ("withdrawals", 50, { try $0.withdrawals(host, Page()).items.count }),
            ("tests", 50, { try $0.tests(host, Page(after: "5000")).items.count }),
        ]
    }

    @Test("the number of rows read follows from the page, with a generic and with a custom plan")
    func rowsRead() async throws {
        try await withStore(connections: 1) { test in
            let organization = test.organization
            try await test.asSuperuser { try Self.fill($0, organization) }
            try await test.analyze()
            for plan in ["force_generic_plan", "force_custom_plan"] {
                for (name, expected, reading) in try Self.lists() {
                    // A transaction, because the setting is local to it.
                    let (found, read) = try await test.write { tenant in
                        let before = try tenant.rowsRead(planning: plan)
                        let found = try reading(tenant)
                        return (found, try tenant.rowsRead(planning: plan) - before)
                    }
                    #expect(found == expected, "\(name)")
                    // A search counts and collects a thousand words at most.
                    #expect(read < (name.hasPrefix("apps") ? 3_500 : 1_200), "\(read) rows for \(name), \(plan)")
                }
            }
        }
    }
}
