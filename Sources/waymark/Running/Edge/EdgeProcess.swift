import FoundationEssentials
import Logging
import ServiceLifecycle
import Snapshot
import Subprocess
import SystemPackage

/// Keeps the edge running as a process of its own: nothing that happens in this one can stop it. When this process is
/// killed, the edge serves on; the next one takes over from it. One that hangs is ended, and started again.
struct EdgeProcess: Service {
    private let environment: Environment
    private let watch: EdgeWatch
    private let logger: Logger

    /// The edge learns what it needs, where the public keys are among it, and nothing of the database: neither a setting of ours
    /// nor one of libpq's is inherited.
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
            var pause = Duration.milliseconds(100)
            while !Task.isCancelled {
                let start = ContinuousClock.now
                let ending = await runUntilItHangs()
                guard !Task.isCancelled else { return }
                if ContinuousClock.now - start > .seconds(10) { pause = .milliseconds(100) }
                logger.error(
                    "The edge has ended; it is started again.",
                    metadata: ["ending": "\(ending)", "pause": "\(pause)"])
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    /// How the process has ended, by itself or, once it did nothing any more, by us.
    private func runUntilItHangs() async -> String {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await runOnce() }
            group.addTask {
                await watch.untilItHangs()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            return first ?? "hung, then \(second ?? "ended")"
        }
    }

    /// This program, by its own name for those who list processes; after it has been replaced on the disk, the one that
    /// runs.
    private var executable: String {
        let own = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: own),
            FileManager.default.isExecutableFile(atPath: path)
        else { return own }
        return path
    }

    private func runOnce() async -> String {
        // A process group of its own: Ctrl-C at the terminal reaches this process alone, which then ends the edge.
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
    /// The settings of the edge that belongs to this process.
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
