import Foundation

/// Sends load to a URL with `wrk` (Debian's package of that name).
enum Wrk {
    /// The error for a run without a rate, with the output of `wrk`.
    struct Failed: Error {
        let output: String
    }

    /// The requests per second, with a header field. A run with a status other than 2xx fails.
    static func rate(_ url: String, field: String) async throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/wrk")
        process.arguments = ["-t1", "-c32", "-d4s", "-H", field, url]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = await Task.detached { pipe.fileHandleForReading.readDataToEndOfFile() }.value
        process.waitUntilExit()
        let output = String(decoding: data, as: UTF8.self)
        let line = output.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        guard !output.contains("Non-2xx"), let rate = line.flatMap({ Double($0.split(separator: " ").last ?? "") })
        else {
            throw Failed(output: output)
        }
        return rate
    }
}
