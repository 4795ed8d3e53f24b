import EmbeddedPostgres
import Foundation
import Logging
import Postgres

/// Compares single-row reads with both forms of `PostgresPool.read(as:)` with `pgbench`, which sends the same two
/// statements in one pipeline to the same database. They take turns within one run.
///
/// Prints a table. The exit code is 1 if the ratio of a single statement is below the goal. Arguments: seconds per
/// measurement (default 4), rounds (default 3), connections of the pool (default: the pool's default).
@main
struct DatabaseBenchmark {
    /// The goal: the minimum ratio of the rate of single statements with `read(as:)` to pgbench's rate.
    static let aim = 0.6
    static let callers = [8, 32]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let seconds = arguments.first ?? 4
        let rounds = arguments.dropFirst().first ?? 3
        let connections = arguments.dropFirst(2).first
        var logger = Logger(label: "benchmark")
        logger.logLevel = .warning
        let server = try await EmbeddedPostgres.startTemporary(maximumConnections: 100, logger: logger)
        let fixture = try await Fixture(server: server, logger: logger)
        print("single-row reads per second, \(rounds) rounds of \(seconds) s; median")
        print("callers  read(as:) of a  pgbench  read(as:)  ratio  client CPU, microseconds per read")
        var isReached = true
        for callers in callers {
            for form in Fixture.Form.allCases {
                var measured: [(pgbench: Measurement, waymark: Measurement)] = []
                for _ in 0..<rounds {
                    let pgbench = try await fixture.pgbench(callers: callers, seconds: seconds)
                    let waymark = try await fixture.reads(
                        form, callers: callers, seconds: seconds, connections: connections)
                    measured.append((pgbench, waymark))
                }
                let ratios = measured.map { $0.waymark.rate / $0.pgbench.rate }
                let ratio = median(ratios)
                print(
                    "\(column(callers, 7))  \(column(form.rawValue, 14))  "
                        + "\(column(Int(median(measured.map(\.pgbench.rate))), 7))  "
                        + "\(column(Int(median(measured.map(\.waymark.rate))), 9))  "
                        + String(
                            format: "%5.2f  %.1f : %.1f", ratio, median(measured.map(\.pgbench.clientCPU)),
                            median(measured.map(\.waymark.clientCPU)))
                        + "  (" + ratios.map { String(format: "%.2f", $0) }.joined(separator: " ") + ")")
                if form == .statement, ratio < aim { isReached = false }
            }
        }
        try await server.stop()
        print(isReached ? "the goal of \(aim) is reached" : "below the goal of \(aim)")
        exit(isReached ? 0 : 1)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private static func column(_ value: some CustomStringConvertible, _ width: Int) -> String {
        let text = value.description
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
