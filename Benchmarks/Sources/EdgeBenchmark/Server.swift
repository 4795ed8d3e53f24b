import Foundation

/// A server as a process of its own, on the first core.
struct Server {
    private let process = Process()

    /// This program.
    static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    init(_ command: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/taskset")
        process.arguments = ["-c", "0"] + command
        try process.run()
    }

    /// Seconds of processor time that it and its own processes have used, to a hundredth.
    func processorTime() -> Double {
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

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
