import Foundation
import Logging
import Postgres
import RunningWaymark
import Storage

/// Measures each step from the start of `POST …/publications` to the new version at the edge. It uses a real `waymark
/// serve`, the edge as a separate process, and HTTP on both sides. It includes all waiting for PostgreSQL and the
/// edge's disk.
///
/// Usage: `PublicationBenchmark [hosts] [publications]`; by default 10,000 hosts and 300 publications.
@main
enum PublicationBenchmark {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let hosts = numbers.first ?? 10_000
        let publications = numbers.count > 1 ? numbers[1] : 300
        let waymark = try Waymark()
        defer { waymark.stop() }
        let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let database = try waymark.database()
        let pool = PostgresPool(database, logger: quiet)
        let installation = try await Installation(Store(pool: pool))
        print("filling \(hosts) hosts")
        try await installation.fill(hosts)
        let observer = Observer()
        let listening = Task { try await observer.listen(database, logger: quiet) }
        try await measure(installation, waymark, observer, hosts: hosts, publications: publications)
        observer.stop()
        listening.cancel()
        await pool.close()
    }

    enum Failure: Error { case notAnswered, notAccepted(String), notServed }

    private static func measure(
        _ installation: Installation, _ waymark: Waymark, _ observer: Observer, hosts: Int, publications: Int
    ) async throws {
        guard let api = Connection(port: waymark.apiPort), let edge = Connection(port: waymark.edgePort) else {
            throw Failure.notAnswered
        }
        let began = ContinuousClock.now
        while try version(of: hosts - 1, edge) == nil {
            guard ContinuousClock.now - began < .seconds(300) else { throw Failure.notServed }
            try await Task.sleep(for: .milliseconds(20))
        }
        print("the edge has them after \(ContinuousClock.now - began)")
        let (port, secret) = (waymark.apiPort, try waymark.consumerSecret())
        Thread.detachNewThread { observer.follow(port: port, secret: secret) }
        try await Task.sleep(for: .seconds(1))
        var steps: [PublicationSteps] = []
        let first = ContinuousClock.now
        for turn in 1...publications {
            let number = turn * 7919 % hosts
            let before = try await installation.change(number, turn: turn)
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...60)))
            observer.reset()
            let start = ContinuousClock.now
            let answer = api.ask(
                "POST", "/v1/domains/\(try Installation.host(number))/publications",
                fields: [
                    "Host: localhost", "Authorization: Bearer \(installation.token)", "Content-Type: application/json",
                ], body: "{}")
            let answered = ContinuousClock.now
            guard let answer else { throw Failure.notAnswered }
            guard answer.status == 202 else { throw Failure.notAccepted(answer.head + answer.body) }
            while try version(of: number, edge) == before {
                guard ContinuousClock.now - start < .seconds(60) else { throw Failure.notServed }
                usleep(500)
            }
            let served = ContinuousClock.now
            let seen = try observer.all(within: .seconds(10))
            steps.append(
                PublicationSteps(
                    committed: seen.made - start, answered: answered - start, live: seen.live - start,
                    told: seen.told - start, served: served - start))
        }
        let rate = Double(publications) / ((ContinuousClock.now - first) / .seconds(1))
        print("\(String(format: "%.1f", rate)) publications a second")
        PublicationSteps.report(steps)
    }

    /// The version that the edge serves for a host, or `nil` if it serves none.
    private static func version(of number: Int, _ edge: Connection) throws -> Int? {
        edge.ask(
            "HEAD", "/.well-known/apple-app-site-association", fields: ["Host: \(try Installation.host(number))"]
        )?.field("waymark-version").flatMap { Int($0) }
    }
}
