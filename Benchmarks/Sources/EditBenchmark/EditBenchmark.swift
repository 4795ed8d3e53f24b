import AASA
import Foundation
import Logging
import Postgres
import RunningWaymark
import Storage
import StrictJSON
import Synchronization

/// Compares changes of a rule over HTTP (`PATCH …/rules/{id}`) with pgbench, which runs the same statements in the same
/// database. They take turns; every commit waits for the disk.
///
/// Usage: `EditBenchmark [clients] [seconds] [rounds]`; by default 4 clients, 5 seconds, 3 rounds. Each client has its
/// own domain, with ten rules.
@main
enum EditBenchmark {
    enum Failure: Error { case notAnswered, refused(String), noServer }

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let clients = numbers.first ?? 4
        let seconds = numbers.count > 1 ? numbers[1] : 5
        let rounds = numbers.count > 2 ? numbers[2] : 3
        let waymark = try Waymark()
        defer { waymark.stop() }
        let pool = PostgresPool(
            try waymark.database(), logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let installation = try await Installation(Store(pool: pool), clients: clients)
        await pool.close()
        let pgbench = try Pgbench(waymark, installation)
        print("changes of a rule by \(clients) clients, \(seconds) s each: p50 and p99 in ms, changes a second")
        var ratios: [Double] = []
        for round in 1...rounds {
            let api = try edit(installation, port: waymark.apiPort, clients: clients, seconds: seconds)
            let same = try pgbench.run(clients: clients, seconds: seconds)
            ratios.append(api.slow / same.slow)
            let ratio = String(format: "%.2f", ratios[round - 1])
            print("round \(round): API \(api), pgbench \(same), ratio of the p99s \(ratio)")
        }
        print("median ratio: \(String(format: "%.2f", ratios.sorted()[rounds / 2])) (the goal is 3)")
    }

    /// Changes a rule again and again, each client on its own connection and thread.
    private static func edit(_ installation: Installation, port: Int, clients: Int, seconds: Int) throws -> Figures {
        let all = Mutex<[Double]>([])
        let failures = Mutex<[any Error]>([])
        let group = DispatchGroup()
        for client in 0..<clients {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    let times = try editAlone(installation, client, port: port, seconds: seconds)
                    all.withLock { $0 += times }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        group.wait()
        if let failure = failures.withLock({ $0.first }) { throw failure }
        return Figures(all.withLock { $0 }, seconds: seconds)
    }

    private static func editAlone(
        _ installation: Installation, _ client: Int, port: Int, seconds: Int
    ) throws -> [Double] {
        guard let connection = Connection(port: port) else { throw Failure.notAnswered }
        let host = try Installation.host(client)
        let fields = [
            "Host: localhost", "Authorization: Bearer \(installation.token)", "Content-Type: application/json",
        ]
        guard let draft = connection.ask("GET", "/v1/domains/\(host)/draft", fields: fields) else {
            throw Failure.notAnswered
        }
        guard var tag = draft.field("etag") else { throw Failure.refused(draft.body) }
        var times: [Double] = []
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            let answer = connection.ask(
                "PATCH", "/v1/domains/\(host)/rules/r5", fields: fields + ["If-Match: \(tag)"],
                body: #"{"path":"/changed/\#(times.count)/*"}"#)
            guard let answer else { throw Failure.notAnswered }
            guard answer.status == 200, let next = answer.field("etag") else { throw Failure.refused(answer.body) }
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            tag = next
        }
        return times
    }
}

/// Times in milliseconds, and how many there were in a second.
struct Figures: CustomStringConvertible {
    let median: Double
    let slow: Double
    let rate: Double

    init(_ times: [Double], seconds: Int) {
        let sorted = times.sorted()
        median = sorted[sorted.count / 2]
        slow = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        rate = Double(sorted.count) / Double(seconds)
    }

    var description: String { String(format: "%.2f %.2f (%.0f/s)", median, slow, rate) }
}
