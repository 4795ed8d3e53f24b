import EmbeddedPostgres
package import Foundation
package import Postgres

/// `waymark serve` as a separate process, with a private PostgreSQL and an edge process, in a folder that is removed at
/// the end.
package struct Waymark {
    private let process = Process()
    private let executable: URL
    /// The data folder.
    package let folder: String
    package let apiPort = 18_080
    package let edgePort = 18_081

    package enum Failure: Error { case notReady }

    /// Starts the service and waits until it is ready.
    package init() throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        folder = FileManager.default.temporaryDirectory.appending(path: "waymark-\(getpid())").path()
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../..").standardized.path(percentEncoded: false)
        executable = URL(filePath: own).deletingLastPathComponent().appending(path: "waymark")
        process.executableURL = executable
        process.arguments = ["serve"]
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            "WAYMARK_STATE_DIRECTORY": folder,
            "WAYMARK_ADDRESS": "127.0.0.1:\(apiPort)",
            "WAYMARK_EDGE_ADDRESS": "127.0.0.1:\(edgePort)",
            "WAYMARK_METRICS_ADDRESS": "127.0.0.1:18082",
            "WAYMARK_EDGE_METRICS_ADDRESS": "127.0.0.1:18083",
            "WAYMARK_PUBLIC_DIRECTORY": root + "/public",
            "WAYMARK_CONTRACT_DIRECTORY": root + "/contract",
            "WAYMARK_MIGRATIONS_DIRECTORY": root + "/migrations",
            "WAYMARK_LOG_LEVEL": "error",
            // Requests are counted, but the limits are never reached.
            "WAYMARK_RATE_LIMIT_CALLER": "1000000000",
            "WAYMARK_RATE_LIMIT_ORGANIZATION": "1000000000",
            "WAYMARK_RATE_LIMIT_ADDRESS": "1000000000",
            "WAYMARK_RATE_LIMIT_SIGN_IN": "1000000000",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(60)
        while Connection(port: apiPort)?.ask("GET", "/readyz", fields: ["Host: localhost"])?.status != 200 {
            guard process.isRunning, ContinuousClock.now < end else { throw Failure.notReady }
            usleep(50_000)
        }
    }

    /// Starts a directory writer with its own directory.
    ///
    /// - Returns: The process and its directory. Stop the process before you call `stop`.
    package func startDirectoryWriter() throws -> (Process, root: String) {
        let writer = Process()
        let root = folder + "/kept"
        writer.executableURL = executable
        writer.arguments = ["serve", "--role", "directory"]
        writer.environment = [
            "WAYMARK_STATE_DIRECTORY": folder,
            "WAYMARK_SNAPSHOT_URL": "http://127.0.0.1:\(apiPort)",
            "WAYMARK_DIRECTORY_ROOT": root,
            "WAYMARK_LOG_LEVEL": "error",
        ]
        writer.standardOutput = FileHandle.nullDevice
        try writer.run()
        return (writer, root)
    }

    /// The configuration for the service's database, with longer limits for large transactions.
    package func database() throws -> PostgresConfiguration {
        let found = EmbeddedPostgres.configuration(
            ofServerRunningOn: folder + "/postgres", database: "waymark", role: "waymark_runtime")
        guard var configuration = found else { throw Failure.notReady }
        configuration.deadline = .seconds(60)
        configuration.statementTimeout = .seconds(60)
        return configuration
    }

    /// The consumers' credential.
    package func consumerSecret() throws -> String {
        try String(contentsOfFile: folder + "/consumer-secret", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Stops the service and removes its data.
    package func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
