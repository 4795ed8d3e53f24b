import Foundation
import Logging
import NIOPosix
import ServerUnderLoad
import ServiceLifecycle
import Serving
import Snapshot

/// An edge with a snapshot on the disk, as a separate process on the first core, with load from `wrk` on the second
/// core. `wrk` requests random hosts, in turn out of ten hosts, out of as many hosts as there are files, and out of all
/// hosts.
struct EdgeUnderLoad {
    private static let port = 18_082
    private static let rounds = 5

    let path: String
    let key: SigningKey
    let sample: Sample

    /// Runs this process as the edge, on one event loop, until it is stopped.
    func serve() async throws {
        let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let table = LiveTable()
        let follower = SnapshotFollower(
            source: DirectorySnapshotSource(path: path), directory: try SnapshotDirectory(path: path),
            trusted: [key.verificationKey], consumer: table, logger: quiet)
        let edge = Edge(
            configuration: Edge.Configuration(host: "127.0.0.1", port: Self.port), table: table, follower: follower,
            eventLoopGroup: MultiThreadedEventLoopGroup(numberOfThreads: 1), logger: quiet)
        try await ServiceGroup(
            configuration: .init(services: [.init(service: follower), .init(service: edge)], logger: quiet)
        ).run()
    }

    /// Measures the process, and prints each round and the medians.
    func measure() async throws {
        let edge = try Server([
            try Server.ownPath(), "edge", path, key.base64, String(sample.hosts), String(sample.files),
        ])
        defer { edge.stop() }
        let numbers = [10, sample.files, sample.hosts]
        let scripts = try numbers.map { try script(among: $0) }
        for script in scripts { try await edge.warmUp(port: Self.port, script: script) }
        print("random hosts out of \(numbers.map(String.init).joined(separator: ", ")): wrk -t1 -c64 -d4s")
        var rounds: [[Server.Run]] = []
        for round in 1...Self.rounds {
            var runs: [Server.Run] = []
            for script in scripts { runs.append(try await edge.run(port: Self.port, script: script)) }
            rounds.append(runs)
            print("round \(round): " + runs.map(\.description).joined(separator: "; "))
        }
        for few in [0, 1] {
            let rate = median(rounds.map { $0[2].answers.rate / $0[few].answers.rate })
            let cost = median(rounds.map { $0[few].cost / $0[2].cost })
            print(
                "\(sample.hosts) hosts against \(numbers[few]): median ratio \(rounded(rate)); "
                    + "by processor time \(rounded(cost))")
        }
    }

    /// The script for `wrk`. It computes each host. Each request has a different text of nearly the same length, so the
    /// cost for `wrk` does not depend on the number of hosts. If there are only a few hosts, they are taken from the
    /// middle.
    private func script(among hosts: Int) throws -> String {
        let first = hosts < sample.hosts ? sample.hosts / 2 : 0
        let text = """
            local number = os.time()
            function request()
              number = number * 16807 % 2147483647
              return "GET /.well-known/apple-app-site-association HTTP/1.1\\r\\nHost: \(Sample.name.before)"
                .. (\(first) + number % \(hosts)) .. "\(Sample.name.behind)\\r\\nX-Number: " .. number
                .. "\\r\\n\\r\\n"
            end
            """
        let script = "\(path)/\(hosts).lua"
        try Data(text.utf8).write(to: URL(filePath: script))
        return script
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private func rounded(_ value: Double) -> String { String(format: "%.2f", value) }
}
