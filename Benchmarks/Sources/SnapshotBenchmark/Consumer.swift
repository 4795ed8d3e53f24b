import Foundation
import Logging
import NIOCore
import Serving
import Snapshot

/// An edge with a snapshot on the disk, in this process.
struct Consumer {
    /// The measurements: seconds, bytes, and microseconds per look-up.
    struct Result: Codable {
        var start = 0.0
        var loaded = 0.0
        var update = 0.0
        var updated = 0.0
        var peak = 0.0
        var lookup = 0.0
        var lookupOfTen = 0.0
        var request = 0.0
        var requestOfTen = 0.0
    }

    let path: String
    let key: SigningKey
    let sample: Sample

    /// Starts the edge, measures it, and prints the result as JSON.
    func run() async throws {
        var result = Result()
        let clock = ContinuousClock()
        let began = clock.now
        let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let table = LiveTable()
        let source = ScriptedSource()
        let follower = SnapshotFollower(
            source: source, directory: try SnapshotDirectory(path: path), trusted: [key.verificationKey],
            consumer: table, logger: quiet)
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let edge = Edge(
            configuration: Edge.Configuration(host: "127.0.0.1", port: 0), table: table, follower: follower,
            logger: quiet, listening: { told.yield($0.edge.port ?? 0) })
        let serving = Task { try await edge.run() }
        var port = 0
        for await found in ports {
            port = found
            break
        }
        guard let client = PipelinedClient(port: UInt16(port)), client.ask([Sample.host(1)]) == 1 else {
            throw Failure.notServed
        }
        result.start = seconds(clock.now - began)
        result.loaded = Double(ProcessMemory.resident)

        let following = Task { try await follower.run() }
        await source.offer(try update())
        ProcessMemory.resetPeak()
        let changed = clock.now
        await source.release()
        while follower.status.activation != Int64(sample.hosts + 1) { try await Task.sleep(for: .milliseconds(1)) }
        result.update = seconds(clock.now - changed)
        try await Task.sleep(for: .seconds(1))
        result.peak = Double(ProcessMemory.peak)
        result.updated = Double(ProcessMemory.resident)

        guard let current = table.current else { throw Failure.notServed }
        (result.lookup, result.lookupOfTen) = try compare { hosts in hosts.count { current.serves($0) } }
        (result.request, result.requestOfTen) = try compare { client.ask($0) }
        following.cancel()
        serving.cancel()
        FileHandle.standardOutput.write(try JSONEncoder().encode(result))
    }

    enum Failure: Error { case notServed, noAnswer }

    /// The update. A child process creates it, so that it does not affect this process's memory.
    private func update() throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["update", path, key.base64, String(sample.hosts), String(sample.files)]
        try process.run()
        process.waitUntilExit()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".update")))
    }

    /// The shortest of several rounds, in microseconds per host, for random hosts, in turn out of all hosts and out of
    /// ten.
    private func compare(_ ask: ([String]) -> Int) throws -> (all: Double, ten: Double) {
        let clock = ContinuousClock()
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<8 {
            for isFew in [false, true] {
                let batches = (0..<40).map { _ in
                    (0..<250).map { _ in Sample.host(Int.random(in: 0..<(isFew ? 10 : sample.hosts))) }
                }
                let began = clock.now
                for batch in batches {
                    guard ask(batch) == batch.count else { throw Failure.noAnswer }
                }
                let each = seconds(clock.now - began) * 1e6 / 10_000
                if isFew { best.1 = min(best.1, each) } else { best.0 = min(best.0, each) }
            }
        }
        return best
    }

    private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}

/// A source without changes until the test provides one.
actor ScriptedSource: SnapshotSource {
    private var answer: [UInt8]?
    private var isReleased = false
    private var isGiven = false

    func offer(_ bytes: [UInt8]) { answer = bytes }
    func release() { isReleased = true }

    func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer {
        let end = ContinuousClock.now + wait
        while ContinuousClock.now < end {
            if isReleased, !isGiven, let bytes = answer {
                isGiven = true
                answer = nil
                return .delta(bytes, base: tag ?? "", tag: "\"changed\"")
            }
            do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .cancelled }
        }
        return .notModified
    }

    func blobs(_ hashes: [ContentHash]) async throws(SnapshotSourceError) -> [ContentHash: [UInt8]] { [:] }
    func close() async {}
}
