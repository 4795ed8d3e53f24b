import AASA
import Foundation
import Postgres
import Storage
import TestSupport

/// From the start of `POST …/publications` to the new version at the edge, over HTTP on both sides, with a database and
/// a disk.
///
/// `PublicationBenchmark [hosts] [publications]`; without numbers 10,000 hosts and 300 publications.
@main
enum PublicationBenchmark {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let hosts = numbers.first ?? 10_000
        let publications = numbers.count > 1 ? numbers[1] : 300
        try await withDatabase { @Sendable database in
            let organization = ID<Organization>()
            let store = Store(pool: database.runtime)
            let token = try await store.write(as: organization, by: Installation.author) { tenant in
                _ = try tenant.createOrganization(slug: "benchmark", name: "Benchmark")
                return try tenant.createToken(name: "benchmark", role: .publisher)
            }
            let installation = Installation(store: store, organization: organization, database: database)
            print("filling \(hosts) hosts")
            try await installation.fill(hosts)
            try await installation.run { running in
                try await measure(installation, running, token.text, hosts: hosts, publications: publications)
            }
        }
    }

    enum Failure: Error { case notAnswered, notAccepted(String), notServed }

    private static func measure(
        _ installation: Installation, _ running: Installation.Running, _ token: String, hosts: Int, publications: Int
    ) async throws {
        let began = ContinuousClock.now
        guard let api = Connection(port: running.apiPort), let edge = Connection(port: running.edgePort) else {
            throw Failure.notAnswered
        }
        while version(of: try Installation.host(hosts - 1).description, edge) == nil {
            guard ContinuousClock.now - began < .seconds(120) else { throw Failure.notServed }
            try await Task.sleep(for: .milliseconds(20))
        }
        print("the edge has them after \(ContinuousClock.now - began)")
        var commits = running.live.makeAsyncIterator()
        var answered: [Double] = [], live: [Double] = [], served: [Double] = []
        for turn in 1...publications {
            let number = turn * 7919 % hosts
            let host = try Installation.host(number)
            let version = try await installation.store.write(
                as: installation.organization, by: Installation.author
            ) { tenant in
                _ = try tenant.saveDraft(
                    Installation.draft(number, turn: turn), of: host,
                    replacing: tenant.lockedDraft(host, expecting: nil))
                return try tenant.domain(host).live?.version
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...60)))
            let start = ContinuousClock.now
            guard
                let answer = api.ask(
                    "POST", "/v1/domains/\(host)/publications",
                    fields: ["Host: localhost", "Authorization: Bearer \(token)", "Content-Type: application/json"],
                    body: "{}")
            else { throw Failure.notAnswered }
            answered.append(milliseconds(.now - start))
            guard answer.head.hasPrefix("HTTP/1.1 202") else { throw Failure.notAccepted(answer.head + answer.body) }
            while self.version(of: host.description, edge) == version.map({ Int($0) }) {
                guard ContinuousClock.now - start < .seconds(20) else { throw Failure.notServed }
                try await Task.sleep(for: .microseconds(500))
            }
            served.append(milliseconds(.now - start))
            if let commit = await commits.next() { live.append(milliseconds(commit - start)) }
        }
        print("\(publications) publications, milliseconds from the start of the request: p50, p99, longest")
        report("answer (gate and commit)", answered)
        report("live (the worker's commit is told)", live)
        report("the edge serves it", served)
    }

    /// What the edge serves; nil for nothing.
    private static func version(of host: String, _ edge: Connection) -> Int? {
        edge.ask("HEAD", "/.well-known/apple-app-site-association", fields: ["Host: \(host)"])
            .flatMap { Connection.field("waymark-version", in: $0.head) }.flatMap { Int($0) }
    }

    private static func report(_ name: String, _ values: [Double]) {
        let sorted = values.sorted()
        guard let last = sorted.last else { return }
        func share(_ part: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] }
        print(name, String(format: "%.1f %.1f %.1f", share(0.5), share(0.99), last))
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
