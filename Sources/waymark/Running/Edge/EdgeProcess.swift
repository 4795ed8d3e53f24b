import FoundationEssentials
import Logging
import ServiceLifecycle
import Snapshot
import Subprocess
import SystemPackage
import Timing

/// Keeps the edge running as a separate process, so that problems in this process cannot stop it. If this process is
/// killed, the edge continues to serve, and the edge of the next `serve` takes over from it. An edge that hangs is
/// restarted.
struct EdgeProcess: Service {
    private static let backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))

    private let environment: Environment
    private let watch: EdgeWatch
    private let logger: Logger

    /// Prepares the process. It gets only the settings that the edge needs, such as the file of the public keys. It
    /// gets no database settings, neither Waymark's nor libpq's.
    init(_ settings: Settings, logger: Logger) {
        var variables: [Environment.Key: String?] = [:]
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("WAYMARK_") || name.hasPrefix("PG") {
            variables[Environment.Key(stringLiteral: name)] = .some(nil)
        }
        for (name, value) in settings.ofEdge() { variables[Environment.Key(stringLiteral: name)] = value }
        environment = .inherit.updating(variables)
        watch = EdgeWatch(settings.edgeMetricsAddress, logger: logger)
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var failures = 0
            while !Task.isCancelled {
                let start = ContinuousClock.now
                let ending = await runUntilHanging()
                guard !Task.isCancelled else { return }
                failures = ContinuousClock.now - start > .seconds(10) ? 1 : failures + 1
                let pause = Self.backoff.pause(afterFailures: failures)
                logger.error(
                    "The edge ended; restarting it.",
                    metadata: ["ending": "\(ending)", "pause": "\(pause)"])
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Runs the process until it ends. If it hangs, kills it.
    /// - Returns: A text that describes how it ended.
    private func runUntilHanging() async -> String {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await runOnce() }
            group.addTask {
                await watch.waitUntilHanging()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            return first ?? "hung, then \(second ?? "ended")"
        }
    }

    /// The path of this program, so that process lists show its name. If the file was replaced, a path to the running
    /// program.
    private var executable: String {
        let own = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: own),
            FileManager.default.isExecutableFile(atPath: path)
        else { return own }
        return path
    }

    private func runOnce() async -> String {
        // Use a separate process group, so that Ctrl-C reaches only this process. This process then ends the edge.
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(8))]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(executable)), arguments: ["serve", "--role", "edge"], environment: environment,
                platformOptions: options,
                input: .none, output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
                error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
            return "\(result.terminationStatus)"
        } catch {
            return "\(error)"
        }
    }
}

extension Settings {
    /// The environment variables for this process's edge.
    fileprivate func ofEdge() -> [String: String] {
        var settings = [
            "WAYMARK_STATE_DIRECTORY": stateDirectory,
            "WAYMARK_EDGE_ADDRESS": edgeAddress.description,
            "WAYMARK_EDGE_METRICS_ADDRESS": edgeMetricsAddress.description,
            "WAYMARK_EDGE_CONNECTIONS": String(edgeConnections),
            "WAYMARK_SNAPSHOT_URL": snapshotURL,
            "WAYMARK_SNAPSHOT_KEY_FILE": snapshotKeyFile,
            "WAYMARK_CONSUMER_SECRET_FILE": consumerSecretFile,
            "WAYMARK_LOG_LEVEL": logLevel.rawValue,
        ]
        if !trustedProxies.isEmpty { settings["WAYMARK_TRUSTED_PROXIES"] = trustedProxies.joined(separator: ",") }
        if let consumerName { settings["WAYMARK_CONSUMER_NAME"] = consumerName }
        #if DEBUG
        settings["WAYMARK_FAULT"] = ProcessInfo.processInfo.environment["WAYMARK_FAULT"]
        #endif
        return settings
    }
}
