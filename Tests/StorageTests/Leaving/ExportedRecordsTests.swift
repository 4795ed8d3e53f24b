import AASA
import Cron
import Testing

@testable import Storage

@Suite("Records in an export")
struct ExportedRecordsTests {
    /// Three withdrawals, three ended runs with an outcome each, and two releases of three domains.
    private static func fill(_ tenant: TenantTransaction) throws {
        let hosts = try (1...3).map { try Host("h\($0).\(tenant.organization).example") }
        for host in hosts {
            _ = try tenant.createDomain(host)
            _ = try tenant.claim(host)
            _ = try tenant.freezeSample(host)
            _ = try tenant.activate(tenant.version(1, of: host), of: host, expecting: .anything)
            _ = try tenant.createWithdrawal(of: host, reason: "why", graceSeconds: 60)
        }
        for _ in 1...2 { _ = try tenant.createRelease(NewRelease(of: .hosts(hosts))) }
        let schedule = try tenant.createSchedule(
            Schedule.Settings(
                name: "daily", target: .domain(hosts[0]), expression: CronExpression(parsing: "@daily"), zone: "UTC"))
        for _ in 1...3 { try tenant.end(tenant.runNow(schedule.id), failingRest: "why") }
    }

    /// The keys of all records, read in pages of two.
    private func keys<Item>(
        _ test: StoreUnderTest, _ list: @escaping @Sendable (TenantTransaction, Page) throws -> Listing<Item>,
        _ key: (Item) -> String
    ) async throws -> [String] {
        var (found, after): ([String], String?) = ([], nil)
        repeat {
            let page = Page(limit: 2, after: after)
            let listing = try await test.store.read(as: test.organization) { try list($0, page) }
            found += listing.items.map(key)
            after = listing.next
        } while after != nil
        return found
    }

    @Test("pages have every record of the organization once, in order, and none of another one")
    func pages() async throws {
        try await withStore { test in
            for test in [test, try await test.another("other")] {
                try await test.write { _ = try Self.fill($0) }
            }
            let withdrawals = try await keys(test, { try $0.exportedWithdrawals($1) }, \.id.description)
            let runs = try await keys(test, { try $0.exportedRuns($1) }, \.id.description)
            let outcomes = try await keys(test, { try $0.exportedOutcomes($1) }) { "\($0.whole) \($0.host)" }
            let domains = try await keys(test, { try $0.exportedReleaseDomains($1) }) { "\($0.whole) \($0.host)" }
            #expect([withdrawals.count, runs.count, outcomes.count, domains.count] == [3, 3, 3, 6])
            for list in [withdrawals, runs, outcomes, domains] { #expect(Set(list).sorted() == list) }
            for list in [outcomes, domains] {
                #expect(list.allSatisfy { $0.hasSuffix("\(test.organization).example") })
            }
            #expect(Set(outcomes.map { String($0.prefix(36)) }) == Set(runs))
        }
    }
}
