import AASA
import Postgres
import Storage
import Testing

@Suite("Totals", .timeLimit(.minutes(3)))
struct TotalTests {
    @Test("counting stops at 10,000 items, and does not count those of others")
    func limit() async throws {
        try await withStore { test in
            let other = try await test.another("other")
            let fill: (Int, ID<Organization>) async throws -> Void = { count, organization in
                _ = try await test.asSuperuser {
                    try $0.execute(
                        """
                        insert into teams (organization_id, team_id, name)
                        select \(organization.uuid), 'T' || lpad(n::text, 9, '0'), 'Team'
                        from generate_series(1, \(count)::integer) as n
                        """)
                }
            }
            try await fill(20_000, other.organization)
            for (more, total) in [(0, 0), (9_999, 9_999)] {
                if more > 0 { try await fill(more, test.organization) }
                #expect(try await test.read { try $0.teams(Page(limit: 1, countsAll: true)).total } == total)
            }
            try await test.write { tenant in
                for name in ["ZZZZZZZZZ1", "ZZZZZZZZZ2"] { _ = try tenant.createTeam(.init(name), name: name) }
            }
            let listing = try await test.read { try $0.teams(Page(limit: 1, countsAll: true)) }
            #expect(listing.total == 10_000 && listing.items.count == 1)
            #expect(try await test.read { try $0.teams(Page(limit: 1)).total } == nil)
        }
    }
}
