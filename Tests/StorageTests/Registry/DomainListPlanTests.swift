import AASA
import Postgres
import TestSupport
import Testing

@testable import Storage

/// The number of rows that are read for a page of domains.
@Suite("Rows read for the list of domains")
struct DomainListPlanTests {
    /// Ten thousand domains with twenty publications each. Every hundredth has a pending one, and every hundred and
    /// twentieth a suspended one.
    private static func fill(_ database: Database, _ organization: ID<Organization>) throws {
        let id = organization.uuid
        try database.execute("set local session_replication_role = replica")
        try database.execute(
            """
            insert into domains (organization_id, host)
            select \(id), 'h' || lpad(n::text, 5, '0') || '.example' from generate_series(1, 10000) as n
            """)
        try database.execute(
            """
            insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
            select organization_id, host, 1, '{}', sha256(''), 2 from domains
            """)
        try database.execute(
            """
            insert into claims (host, organization_id, domain, version, activation, sha256, size, live_since)
            select host, organization_id, host, 1, 1000000 + row_number() over (), sha256(host::bytea), 2,
              now() - interval '1 day'
            from domains
            """)
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
    }

    @Test("the number of rows read follows from the size of the page, with and without a filter by publication")
    func rowsRead() async throws {
        try await withStore(connections: 1) { test in
            let organization = test.organization
            try await test.asSuperuser { try Self.fill($0, organization) }
            try await test.asSuperuser { try $0.execute("analyze") }
            let expected: [(Domain.PublicationStanding?, found: Int)] = [
                (nil, 50), (.pending, 50), (.suspended, 50), (.failed, 0),
            ]
            for (standing, count) in expected {
                let (domains, read) = try await Self.read(standing, test)
                #expect(domains.count == count, "\(String(describing: standing))")
                // A page reads 51 domains, each with a draft, a claim and few publications.
                #expect(read < 1_500, "\(read) rows for \(String(describing: standing))")
                switch standing {
                case .pending: #expect(domains.allSatisfy { $0.pending?.count == 1 })
                case .suspended: #expect(domains.allSatisfy { $0.stopped?.state == .suspended })
                default: break
                }
            }
        }
    }

    private static func read(
        _ standing: Domain.PublicationStanding?, _ test: StoreUnderTest
    ) async throws -> (domains: [Domain], read: Int) {
        try await test.read { tenant in
            func rowsRead() throws -> Int {
                let row = try tenant.database.only(
                    "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as rows from pg_stat_xact_user_tables"
                )
                return try row.decode("rows", as: Int?.self) ?? 0
            }
            let before = try rowsRead()
            let domains = try tenant.domains(Page(limit: 50), publication: standing).items
            return (domains, try rowsRead() - before)
        }
    }
}
