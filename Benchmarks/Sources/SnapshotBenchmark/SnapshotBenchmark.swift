import Foundation
import Snapshot

/// The snapshot at scale: what a consumer with a million hosts needs of memory and time, against one with few hosts and
/// the same files. Each is a process of its own, which starts from the disk, answers over HTTP, and takes an update.
///
/// `SnapshotBenchmark [hosts]`; without a number a million.
@main
enum SnapshotBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[1] == "consumer", let hosts = Int(arguments[4]) {
            try await Consumer(path: arguments[2], key: SigningKey(base64: arguments[3]), sample: Sample(hosts: hosts))
                .run()
            return
        }
        if arguments.count == 5, arguments[1] == "update", let hosts = Int(arguments[4]) {
            let update = try Sample(hosts: hosts).update(by: SigningKey(base64: arguments[3]))
            try Data(update).write(to: URL(fileURLWithPath: arguments[2] + ".update"))
            return
        }
        let many = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try compare(few: Sample.files, many: many, root: root)
    }

    private static func compare(few: Int, many: Int, root: String) throws {
        let key = try SigningKey()
        let blobs = try Sample.blobs()
        print("\(Sample.files) files of \(blobs[0].bytes.count) bytes; \(many) hosts against \(few)")
        var results: [Int: Consumer.Result] = [:]
        for hosts in [few, many] {
            let path = "\(root)/\(hosts)"
            let directory = try SnapshotDirectory(path: path)
            try directory.store(blobs)
            let signed = try Sample(hosts: hosts).manifest(blobs).signed(by: key)
            try directory.store(signed: signed, activation: Int64(hosts))
            print("\(hosts) hosts: manifest of \(signed.count) bytes")
            results[hosts] = try consumer(path, key, hosts)
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
            "bytes a host: \(rounded((large.loaded - small.loaded) / added)) after the start, "
                + "\(rounded((large.updated - small.updated) / added)) after the update, "
                + "\(rounded((large.peak - small.peak) / added)) at the update's peak")
        print(
            "among \(many) against ten hosts in the same process: look-up alone "
                + "\(rounded(large.lookup / large.lookupOfTen)) (\(rounded(large.lookupOfTen)) us), by HTTP "
                + "\(rounded(large.request / large.requestOfTen)) (\(rounded(large.requestOfTen)) us)")
    }

    private static func consumer(_ path: String, _ key: SigningKey, _ hosts: Int) throws -> Consumer.Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["consumer", path, key.base64, String(hosts)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Consumer.Result.self, from: text)
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.3g", value) }
}
