import Foundation

/// A server as a process of its own, on the first core.
package struct Server {
    private let process = Process()

    /// This program.
    package static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// Starts it.
    package init(_ command: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/taskset")
        process.arguments = ["-c", "0"] + command
        try process.run()
    }

    /// What came of asking it for some seconds.
    package struct Run: CustomStringConvertible {
        /// As `wrk` counted.
        package let answers: Wrk.Result
        /// Microseconds of the server's processor time for an answer, the kernel's share included: these hardly change
        /// when others use the machine.
        package let cost: Double

        /// In words.
        package var description: String { "\(answers), \((cost * 100).rounded() / 100) µs" }
    }

    /// Asks it, by a script of `wrk`.
    package func run(port: Int, script: String, seconds: Int = 4) async throws -> Run {
        let before = processorTime()
        let answers = try await Wrk.run(port: port, script: script, seconds: seconds)
        return Run(answers: answers, cost: (processorTime() - before) * 1e6 / Double(answers.requests))
    }

    /// Asks until every request is answered well.
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

    /// Seconds of processor time that it and its own processes have used, to a hundredth.
    private func processorTime() -> Double {
        let own = process.processIdentifier
        let children = (try? String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)) ?? ""
        let processes = [String(own)] + children.split(separator: " ").map(String.init)
        return processes.reduce(0) { sum, process in
            // Behind the name in parentheses: the 12th and 13th value are ticks in the program and in the kernel.
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let values = text.split(separator: ")").last?.split(separator: " ") ?? []
            return sum + values.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
        }
    }

    /// Ends it.
    package func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
