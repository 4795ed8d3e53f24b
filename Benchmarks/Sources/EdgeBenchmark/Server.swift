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

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
