import Foundation
import Logging
import Postgres
import RunningWaymark
import Storage

/// Compares the lists, searches and filters of an organization with many domains with those of one with 60, over HTTP,
/// with a real `waymark serve`. Also measures drafts with many rules, and the events after many changes.
///
/// Usage: `ListBenchmark [domains] [requests]`; by default 100,000 domains of ten rules each and 40 requests for each
/// figure.
@main
enum ListBenchmark {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let domains = numbers.first ?? 100_000
        let requests = numbers.count > 1 ? numbers[1] : 40
        let waymark = try Waymark()
        defer { waymark.stop() }
        let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let pool = PostgresPool(try waymark.database(), logger: quiet)
        print("creating organizations with 60 and \(domains) domains of ten rules each")
        let small = try await FilledOrganization(pool, "small", domains: 60, firstActivation: 1_000_000)
        let large = try await FilledOrganization(pool, "large", domains: domains, firstActivation: 10_000_000)
        let other = try await FilledOrganization(pool, "other", domains: 60, firstActivation: 2_000_000)
        try await settle(pool)
        let client = Client(port: waymark.apiPort, requests: requests)
        try Lists.compare(small, large, client)
        try await Drafts.measure(small, client)
        try await Events.measure(large, pool, client)
        try await Neighbours.measure(busy: large, quiet: other, client)
        await pool.close()
    }

    /// Waits until autovacuum could have looked at the new rows, as in service.
    private static func settle(_ pool: PostgresPool) async throws {
        for _ in 0..<180 {
            let row = try await pool.read(
                """
                select count(*) as left from pg_stat_user_tables
                where n_live_tup > 1000 and last_autoanalyze is null
                """
            ).first
            if try row?.decode("left", as: Int.self) == 0 { return }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
