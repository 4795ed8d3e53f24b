import Foundation
import Snapshot

/// Measures large snapshots. It compares the memory and time of a consumer with a million hosts with those of a
/// consumer with few hosts and the same files. Each consumer is a separate process that starts from the disk, answers
/// over HTTP, and applies an update. Then it measures an edge with a million hosts under load, with requests for random
/// hosts out of all and out of few.
///
/// Usage: `SnapshotBenchmark [hosts] [files]`. The default is a million hosts that share 10,000 files.
@main
enum SnapshotBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 6, let hosts = Int(arguments[4]), let files = Int(arguments[5]) {
            let sample = Sample(hosts: hosts, files: files)
            try await run(arguments[1], path: arguments[2], key: SigningKey(base64: arguments[3]), sample)
            return
        }
        let many = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
        let files = arguments.count > 2 ? Int(arguments[2]) ?? 10_000 : 10_000
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let key = try SigningKey()
        try compare(files, sharedBy: many, root: root, key: key)
        print("a random read of memory: \(rounded(MemoryLatency.measure())) ns")
        try await EdgeUnderLoad(path: "\(root)/\(many)", key: key, sample: Sample(hosts: many, files: files)).measure()
    }

    /// Runs a part of this program as a child process.
    private static func run(_ part: String, path: String, key: SigningKey, _ sample: Sample) async throws {
        switch part {
        case "consumer": try await Consumer(path: path, key: key, sample: sample).run()
        case "update": try Data(sample.update(by: key)).write(to: URL(fileURLWithPath: path + ".update"))
        default: try await EdgeUnderLoad(path: path, key: key, sample: sample).serve()
        }
    }

    /// Compares with an edge with as many hosts as there are files.
    private static func compare(_ files: Int, sharedBy many: Int, root: String, key: SigningKey) throws {
        let few = files
        let blobs = try Sample(hosts: many, files: files).blobs()
        print("\(files) files of \(blobs[0].bytes.count) bytes; \(many) hosts against \(few)")
        var results: [Int: Consumer.Result] = [:]
        for hosts in [few, many] {
            let path = "\(root)/\(hosts)"
            let directory = try SnapshotDirectory(path: path)
            try directory.store(blobs)
            let signed = try Sample(hosts: hosts, files: files).manifest(blobs).signed(by: key)
            try directory.store(signed: signed, activation: Int64(hosts))
            print("\(hosts) hosts: manifest of \(signed.count) bytes")
            results[hosts] = try consumer(path, key, hosts, files)
        }
        guard let small = results[few], let large = results[many] else { return }
        let added = Double(many - few)
        func row(_ name: String, _ value: (Consumer.Result) -> Double, _ unit: String) {
            print("\(name): \(rounded(value(small))) and \(rounded(value(large))) \(unit)")
        }
        row("start to first answer", \.start, "s")
        row("resident after the start", { $0.loaded / 1e6 }, "MB")
        row("resident after the update", { $0.updated / 1e6 }, "MB")
        row("peak during the update", { $0.peak / 1e6 }, "MB")
        row("update of one host", \.update, "s")
        row("look-up alone", \.lookup, "us")
        row("look-up by HTTP", \.request, "us")
        print(
            "bytes per host: \(rounded((large.loaded - small.loaded) / added)) after the start, "
                + "\(rounded((large.updated - small.updated) / added)) after the update, "
                + "\(rounded((large.peak - small.peak) / added)) at the update's peak")
        print(
            "among \(many) against ten hosts in the same process: look-up alone "
                + "\(rounded(large.lookup / large.lookupOfTen)) (\(rounded(large.lookupOfTen)) us), by HTTP "
                + "\(rounded(large.request / large.requestOfTen)) (\(rounded(large.requestOfTen)) us)")
    }

    private static func consumer(
        _ path: String, _ key: SigningKey, _ hosts: Int, _ files: Int
    ) throws -> Consumer.Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["consumer", path, key.base64, String(hosts), String(files)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Consumer.Result.self, from: text)
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.3g", value) }
}
