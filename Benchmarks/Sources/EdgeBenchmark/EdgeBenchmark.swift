import Foundation
import Logging
import NIOPosix
import ServerUnderLoad
import ServiceLifecycle
import Serving
import Snapshot

/// Compares the edge with nginx on the folder of a directory writer. Both have the same 10,000 hosts, each with a
/// different file of 2 KB, and get requests from the same script for `wrk`. They take turns on the first core; the load
/// generator runs on the second core.
@main
enum EdgeBenchmark {
    static let rounds = 5
    static let edgePort = 18_081
    static let nginxPort = 18_080

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "edge", let folder = arguments.dropFirst().first {
            try await serve(SampleSnapshot(folder: folder))
        } else {
            let folder = FileManager.default.temporaryDirectory.path + "/edge-benchmark-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await measure(SampleSnapshot(folder: folder))
        }
    }

    /// Runs this process as the edge, on one event loop, because it has one core.
    private static func serve(_ snapshot: SampleSnapshot) async throws {
        let table = LiveTable()
        let follower = SnapshotFollower(
            source: snapshot.source, directory: try SnapshotDirectory(path: snapshot.snapshotFolder),
            trusted: [try snapshot.verificationKey()], consumer: table, logger: quiet)
        let edge = Edge(
            configuration: Edge.Configuration(host: "127.0.0.1", port: edgePort), table: table, follower: follower,
            eventLoopGroup: MultiThreadedEventLoopGroup(numberOfThreads: 1), logger: quiet)
        try await ServiceGroup(
            configuration: .init(services: [.init(service: follower), .init(service: edge)], logger: quiet)
        ).run()
    }

    private static func measure(_ snapshot: SampleSnapshot) async throws {
        try await snapshot.write(logger: quiet)
        let edge = try Server([try Server.ownPath(), "edge", snapshot.folder])
        defer { edge.stop() }
        let configuration = try snapshot.writeNginxConfiguration(port: nginxPort)
        let nginx = try Server(["/usr/sbin/nginx", "-e", "/dev/null", "-c", configuration])
        defer { nginx.stop() }
        let script = try snapshot.writeScript()
        try await edge.warmUp(port: edgePort, script: script)
        // Afterwards nginx's files are in the kernel's cache.
        try await nginx.warmUp(port: nginxPort, script: script)
        print("\(SampleSnapshot.hosts) hosts, \(SampleSnapshot.size) bytes each, wrk -t1 -c64 -d4s, \(rounds) rounds")
        var rates: [Double] = []
        var costs: [Double] = []
        for round in 1...rounds {
            let ours = try await edge.run(port: edgePort, script: script)
            let theirs = try await nginx.run(port: nginxPort, script: script)
            rates.append(ours.answers.rate / theirs.answers.rate)
            costs.append(theirs.cost / ours.cost)
            print("round \(round): edge \(ours), nginx \(theirs), ratio \(rounded(rates[round - 1]))")
        }
        print(
            "median ratio: \(rounded(rates.sorted()[rounds / 2])); by processor time \(rounded(costs.sorted()[rounds / 2]))"
        )
    }

    private static let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }

    private static func rounded(_ ratio: Double) -> Double { (ratio * 100).rounded() / 100 }
}
