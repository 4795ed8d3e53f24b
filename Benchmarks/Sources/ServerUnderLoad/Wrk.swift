import Foundation

/// Sends load to a server with `wrk` (Debian's package of that name) on the second core.
package enum Wrk {
    /// The result of a run.
    package struct Result: CustomStringConvertible {
        /// Requests per second.
        package let rate: Double
        /// The number of answered requests.
        package let requests: Int
        /// The median response time, as printed by `wrk`.
        package let median: String
        /// The 99th percentile, as printed by `wrk`.
        package let p99: String

        /// The result as text.
        package var description: String { "\(Int(rate))/s (p50 \(median), p99 \(p99))" }
    }

    /// The error for a run without a rate or with a status other than 2xx, with the output of `wrk`.
    package struct Failed: Error {
        package let output: String
    }

    /// Sends requests from a script to a server on this machine for some seconds, over 64 connections.
    package static func run(port: Int, script: String, seconds: Int) async throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/taskset")
        process.arguments = [
            "-c", "1", "wrk", "-t1", "-c64", "-d\(seconds)s", "--latency", "-s", script, "http://127.0.0.1:\(port)",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = await Task.detached { pipe.fileHandleForReading.readDataToEndOfFile() }.value
        process.waitUntilExit()
        let output = String(decoding: data, as: UTF8.self)
        let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
        func value(after name: String) -> String? {
            lines.first { $0.first == Substring(name) && $0.count == 2 }.map { String($0[1]) }
        }
        guard !output.contains("Non-2xx"), !output.contains("Socket errors"),
            let rate = value(after: "Requests/sec:").flatMap(Double.init),
            let requests = lines.first(where: { $0.dropFirst().first == "requests" }).flatMap({ Int($0[0]) }),
            let median = value(after: "50%"), let p99 = value(after: "99%")
        else { throw Failed(output: output) }
        return Result(rate: rate, requests: requests, median: median, p99: p99)
    }
}
