import AASA
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import Storage

/// The number of rows that are read for a page of the list of domains.
@Suite("Rows read for the list of domains")
struct DomainListPlanTests {
    /// Ten thousand domains with twenty publications each. Every hundredth has a pending publication, every hundred and
    /// twentieth a suspended one. Half have the label `half`, ten `rare`. `late` begins the last thousand hosts, and
    /// `tail` is a later word of three thousand others far down the list.
    private static func fill(_ database: Database, _ organization: ID<Organization>) throws {
        let id = organization.uuid
        try database.execute("set local session_replication_role = replica")
        try database.execute(
            """
            insert into domains (organization_id, host, labels)
            select \(id), case when n > 9000 then 'late-' else 'h' end || lpad(n::text, 5, '0')
                || case when n % 500 = 7 then '.shop' when n between 6001 and 9000 then '.tail' else '' end || '.example',
              array[case n % 2 when 0 then 'half' else 'other' end, case n % 1000 when 9 then 'rare' else 'usual' end]
            from generate_series(1, 10000) as n
            """)
        try database.execute(
            """
            insert into drafts (organization_id, host, revision, document, file_sha256, file_size, updated_at)
            select organization_id, host, 2, '{}', sha256(host::bytea), 2,
              timestamptz '2026-01-01' + hashtext(host) % 500000 * interval '1 minute'
            from domains
            """)
        try database.execute(
            """
            insert into claims (host, organization_id, domain, version, activation, sha256, size, live_since)
            select host, organization_id, host, 1, 1000000 + row_number() over (),
              sha256(case when host like '%5.example' then 'other' else host end::bytea), 2,
              timestamptz '2020-01-01' + hashtext(host) % 500000 * interval '1 second'
            from domains where host not like '%77.example'
            """)
        try database.execute(
            """
            insert into domain_states (
              organization_id, host, is_alias, is_untouched, is_claimed, was_live, live_sha256, draft_sha256, changed_at, live_since,
              errors, warnings, notices, tests, failed)
            select domains.organization_id, domains.host, false, false, claims.host is not null,
              claims.host is not null,
              claims.sha256, drafts.file_sha256, drafts.updated_at, coalesce(claims.live_since, 'epoch'),
              case when domains.host like '%33.example' then 2 else 0 end, 0, 0, 5,
              case when domains.host like 'late-%999.example' then 1 else 0 end
            from domains
            join drafts on drafts.host = domains.host
            left join claims on claims.host = domains.host
            """)
        try database.execute(
            "insert into domain_labels (organization_id, host, label) select organization_id, host, unnest(labels) from domains"
        )
        try database.execute(
            "insert into domain_words (organization_id, host, word) select organization_id, host, word_ends(host, 2) from domains"
        )
        try database.execute(
            """
            insert into publications (
              organization_id, id, host, version, state, message, overrides, requester_kind, requester_name, report,
              activation, ended_at, cause)
            select organization_id, gen_random_uuid(), host, 1,
              case when n > 1 then 'live' when place % 100 = 0 then 'scheduled' when place % 120 = 1 then 'suspended'
                else 'cancelled' end,
              '', false, 'user', 'u', '{}',
              case when n > 1 then place * 20 + n end,
              case when not (n = 1 and place % 100 = 0) then now() end,
              case when n = 1 and place % 100 > 0 then 'c' end
            from (select domains.*, row_number() over (order by host) as place from domains) as domains,
              generate_series(1, 20) as n
            """)
        try database.execute(
            """
            update domain_states set stopped = publications.state from publications
            where publications.host = domain_states.host and publications.state = 'suspended'
            """)
    }

    /// A list, and the number of domains that it finds.
    private struct List: Sendable {
        var search: String?
        var hosts: [Host]?
        var label: String?
        var state: Domain.State?
        var publication: Domain.PublicationStanding?
        var problem: DomainProblem?
        var order = DomainOrder.host
        var after: String?
        var found: Int
        /// The most rows that it may read. A page has 50 domains, each with a draft, a claim, a state, and a few
        /// publications.
        var most = 1_500

        var filter: DomainFilter {
            DomainFilter(
                search: search, hosts: hosts, label: label, state: state, publication: publication, problem: problem)
        }
    }

    private static let lists: [List] = [
        List(found: 50), List(after: "h05000.example", found: 50), List(after: "late-09990.example", found: 10),
        List(publication: .pending, found: 50), List(publication: .suspended, found: 50),
        List(publication: .failed, found: 0),
        List(label: "half", found: 50), List(label: "rare", found: 10), List(label: "absent", found: 0),
        List(state: .live, found: 50), List(state: .changed, found: 50), List(state: .unverified, found: 50),
        List(state: .unpublished, found: 0), List(state: .live, after: "late-09990.example", found: 9),
        // Few matches are counted and collected. Many are counted up to the limit.
        List(search: "h00042", found: 1), List(search: "shop", found: 20), List(search: ".shop", found: 20),
        List(search: "shop.example", found: 20), List(search: "absent", found: 0), List(search: "_", found: 0),
        List(search: ".", found: 50, most: 4_000),
        List(search: "late", found: 50), List(search: "late", after: "late-09990.example", found: 10, most: 4_000),
        List(search: "example", found: 50, most: 4_000), List(search: "tail", found: 50, most: 7_000),
        List(search: "example", after: "late-09990.example", found: 10, most: 4_000),
        List(label: "half", state: .unverified, found: 0, most: 6_000),
        List(label: "rare", state: .live, found: 10, most: 4_000),
        List(search: "shop", label: "half", found: 0, most: 4_000),
        List(search: "example", label: "half", state: .live, found: 50, most: 9_000),
        List(label: "half", publication: .pending, found: 50, most: 4_000),
        List(problem: .any, found: 50), List(problem: .publication, found: 50), List(problem: .withdrawal, found: 0),
        List(problem: .errors, found: 50), List(problem: .tests, found: 1), List(problem: .unverified, found: 50),
        List(label: "rare", problem: .any, found: 0, most: 4_000),
        List(label: "half", problem: .unverified, found: 0, most: 6_000),
        List(order: .changed, found: 50), List(order: .published, found: 50), List(order: .problems, found: 50),
        List(order: .changed, after: "changed 1767225600000000 h05000.example", found: 50),
        List(order: .published, after: "published 0 h00177.example", found: 1),
        List(order: .problems, after: "problems 9 h05000.example", found: 50),
        List(label: "half", order: .changed, found: 50, most: 6_000),
        List(label: "rare", order: .published, found: 10, most: 4_000),
        List(search: "late", order: .problems, found: 50, most: 9_000),
        List(search: "shop", order: .changed, found: 20, most: 4_000),
        List(problem: .any, order: .problems, found: 50, most: 6_000),
        List(problem: .tests, order: .changed, found: 1),
        List(hosts: ["h00001", "absent", "h00003"].compactMap { try? Host("\($0).example") }, found: 2),
    ]

    @Test("the number of rows read follows from the page, for every filter, with a generic and with a custom plan")
    func rowsRead() async throws {
        try await withStore(connections: 1) { test in
            let organization = test.organization
            try await test.asSuperuser { try Self.fill($0, organization) }
            try await test.analyze()
            for plan in ["force_generic_plan", "force_custom_plan"] {
                for list in Self.lists {
                    let (domains, read) = try await Self.read(list, plan, test)
                    #expect(domains.count == list.found, "\(list)")
                    #expect(read < list.most, "\(read) rows for \(list), \(plan)")
                    #expect(Self.isSorted(domains, list.order), "\(list)")
                    switch list.publication {
                    case .pending: #expect(domains.allSatisfy { $0.pending?.count == 1 })
                    case .suspended: #expect(domains.allSatisfy { $0.stopped?.state == .suspended })
                    default: break
                    }
                    if let problem = list.problem { #expect(domains.allSatisfy { problem.isOf($0) }, "\(list)") }
                    if let state = list.state { #expect(domains.allSatisfy { $0.state == state }) }
                    if let label = list.label { #expect(domains.allSatisfy { $0.labels.contains(label) }) }
                    if let text = list.search {
                        #expect(domains.allSatisfy { $0.host.description.contains(text) })
                    }
                }
            }
        }
    }

    @Test("labels and the domains of an app are listed and counted up to a limit")
    func labelsAndApps() async throws {
        try await withStore(connections: 1) { test in
            let organization = test.organization
            let app = try AppID("ABCDE12345.app")
            try await test.asSuperuser { database in
                try Self.fill(database, organization)
                try database.execute(
                    """
                    insert into draft_apps (organization_id, host, app_id)
                    select organization_id, host, \(app.description) from domains
                    """)
            }
            try await test.analyze()
            for plan in ["force_generic_plan", "force_custom_plan"] {
                let (labels, ofLabels) = try await test.write { tenant in
                    let before = try tenant.rowsRead(planning: plan)
                    return (try tenant.labels(Page()).items, try tenant.rowsRead(planning: plan) - before)
                }
                #expect(
                    labels.map { "\($0.label) \($0.domains)" } == ["half 1000", "other 1000", "rare 10", "usual 1000"])
                #expect(ofLabels < 4_500, "\(ofLabels) rows, \(plan)")
                for (search, most) in [(nil, 1_500), ("example", 16_000)] {
                    let (domains, read) = try await test.write { tenant in
                        let before = try tenant.rowsRead(planning: plan)
                        let page = Page(after: "h05000.example")
                        let domains = try tenant.domains(using: app, page, search: search).items
                        return (domains, try tenant.rowsRead(planning: plan) - before)
                    }
                    #expect(domains.count == 50)
                    #expect(read < most, "\(read) rows, \(plan), \(search ?? "")")
                }
            }
        }
    }

    @Test("hosts of an organization that is newer than the statistics are not read again for each candidate")
    func withOldStatistics() async throws {
        try await withStore(connections: 1) { test in
            let organization = test.organization
            try await test.asSuperuser { try Self.fillOthers($0) }
            try await test.analyze()
            try await test.asSuperuser { database in
                try database.execute("set local session_replication_role = replica")
                try database.execute("delete from domains")
                try Self.fill(database, organization)
            }
            // In other orders, PostgreSQL may read an index by the organization alone until the next analysis.
            let lists = Self.lists.filter { $0.order == .host && $0.publication == nil && $0.problem != .publication }
            for list in lists {
                let read = try await test.write { tenant in
                    let before = try tenant.rowsRead(planning: "auto")
                    let page = Page(limit: 50, after: list.after)
                    #expect(try tenant.hosts(of: page, list.filter).prefix(50).count == list.found, "\(list)")
                    return try tenant.rowsRead(planning: "auto") - before
                }
                // Each statement may read all rows once. Reading them for each candidate would be millions.
                #expect(read < 500_000, "\(read) rows for \(list)")
            }
        }
    }

    /// Two thousand organizations with one domain each: PostgreSQL expects one row of any other organization, too.
    private static func fillOthers(_ database: Database) throws {
        try database.execute("set local session_replication_role = replica")
        let rows: [SQL] = [
            """
            insert into domains (organization_id, host, labels)
            select gen_random_uuid(), 's' || n || '.example', array['small'] from generate_series(1, 2000) as n
            """,
            "insert into domain_labels (organization_id, host, label) select organization_id, host, 'small' from domains",
            "insert into domain_states (organization_id, host, is_alias) select organization_id, host, false from domains",
            "insert into domain_words (organization_id, host, word) select organization_id, host, word_ends(host, 2) from domains",
        ]
        for statement in rows { try database.execute(statement) }
    }

    private static func isSorted(_ domains: [Domain], _ order: DomainOrder) -> Bool {
        let pairs = zip(domains, domains.dropFirst())
        return pairs.allSatisfy { earlier, later in
            switch order {
            case .host: earlier.host.description < later.host.description
            case .changed: earlier.draftChangedAt >= later.draftChangedAt
            case .published: earlier.live?.since ?? .distantPast >= later.live?.since ?? .distantPast
            case .problems: worst(earlier) <= worst(later)
            }
        }
    }

    /// The place of the worst problem among all problems.
    private static func worst(_ domain: Domain) -> Int {
        DomainProblem.allCases.firstIndex { $0 != .any && $0.isOf(domain) } ?? DomainProblem.allCases.count
    }

    private static func read(
        _ list: List, _ plan: String, _ test: StoreUnderTest
    ) async throws -> (domains: [Domain], read: Int) {
        // A transaction, because the setting is local to it.
        try await test.write { tenant in
            let before = try tenant.rowsRead(planning: plan)
            let domains = try tenant.domains(
                Page(limit: 50, after: list.after), list.filter, sortedBy: list.order
            ).items
            return (domains, try tenant.rowsRead(planning: plan) - before)
        }
    }
}

extension DomainProblem {
    /// Whether a domain that is not an alias has the problem.
    func isOf(_ domain: Domain) -> Bool {
        switch self {
        case .any: Self.allCases.contains { $0 != .any && $0.isOf(domain) }
        case .publication: domain.stopped != nil
        case .withdrawal: domain.withdrawal != nil
        case .errors: domain.draftRevision > 1 && domain.checks?.errors ?? 0 > 0
        case .tests: domain.checks?.failed ?? 0 > 0
        case .unverified: domain.verifiedAt == nil
        }
    }
}

extension TenantTransaction {
    /// The number of rows that this transaction has read. Sets how it plans statements.
    func rowsRead(planning plan: String) throws -> Int {
        _ = try database.query("select set_config('plan_cache_mode', \(plan), true)")
        let row = try database.only(
            "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as rows from pg_stat_xact_user_tables")
        return try row.decode("rows", as: Int?.self) ?? 0
    }
}
