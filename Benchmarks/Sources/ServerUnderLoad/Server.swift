import Foundation

/// A server as a separate process, on the first core.
package struct Server {
    private let process = Process()

    /// The path of this program.
    package static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// Starts the server.
    package init(_ command: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/taskset")
        process.arguments = ["-c", "0"] + command
        try process.run()
    }

    /// The result of a run of some seconds.
    package struct Run: CustomStringConvertible {
        /// The result of `wrk`.
        package let answers: Wrk.Result
        /// The server's processor time per response in microseconds, including the kernel's part. It hardly depends on
        /// other load on the machine.
        package let cost: Double

        /// The result as text.
        package var description: String { "\(answers), \((cost * 100).rounded() / 100) µs" }
    }

    /// Sends requests to the server with a script for `wrk`.
    package func run(port: Int, script: String, seconds: Int = 4) async throws -> Run {
        let before = processorTime()
        let answers = try await Wrk.run(port: port, script: script, seconds: seconds)
        return Run(answers: answers, cost: (processorTime() - before) * 1e6 / Double(answers.requests))
    }

    /// Sends requests until every request succeeds.
    package func warmUp(port: Int, script: String) async throws {
        var attempts = 0
        while true {
            attempts += 1
            do {
                _ = try await Wrk.run(port: port, script: script, seconds: 2)
                return
            } catch is Wrk.Failed where attempts < 20 {
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// The processor time of the server and its child processes in seconds, to a hundredth of a second.
    private func processorTime() -> Double {
        let own = process.processIdentifier
        let children = (try? String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)) ?? ""
        let processes = [String(own)] + children.split(separator: " ").map(String.init)
        return processes.reduce(0) { sum, process in
            // After the name in parentheses, the 12th and 13th values are the ticks in user mode and in the kernel.
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let values = text.split(separator: ")").last?.split(separator: " ") ?? []
            return sum + values.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
        }
    }

    /// Stops the server.
    package func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
