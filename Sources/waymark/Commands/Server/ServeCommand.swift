import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import Metrics
import Postgres
import Publishing
import ServiceLifecycle
import Storage
import UnixSignals

/// `waymark serve`.
struct ServeCommand: AsyncParsableCommand {
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case all, api, worker, edge, directory
    }

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs Waymark.",
        discussion: """
            Without --role, runs everything for one machine: the API, the dashboard and the worker in this process, and the \
            edge as a child process. Without WAYMARK_DATABASE_URL, it starts a private PostgreSQL. The roles api and worker \
            require WAYMARK_DATABASE_URL.

              api        the API and the dashboard
              worker     runs publications; you can run any number
              edge       serves the files; needs the API's address (WAYMARK_SNAPSHOT_URL) and no database
              directory  writes the files to WAYMARK_DIRECTORY_ROOT for nginx or another web server

            Ctrl-C stops everything cleanly.
            """)

    @Option(help: "The part to run.") var role = Role.all

    func run() async throws {
        OpenFiles.raiseLimit()
        let settings = try Settings.load()
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        let log = LogWriter()
        do {
            try await run(Build(settings: settings, metrics: metrics, logger: settings.logger(log)), log)
        } catch {
            await log.finish()
            throw error
        }
        await log.finish()
    }

    private func run(_ build: Build, _ log: LogWriter) async throws {
        let (settings, logger) = (build.settings, build.logger)
        if role == .api || role == .worker { try settings.requireDatabase("serve --role \(role.rawValue)") }
        try requireAddresses(settings)
        if role == .all || role == .edge { try StateFolder.prepare(settings) }
        switch role {
        case .edge: try await run(await build.edge(), logger)
        case .directory: try await run(await build.directory(), logger)
        case .all, .api, .worker: try await serve(build, log)
        }
    }

    private func serve(_ build: Build, _ log: LogWriter) async throws {
        try requireFolders(build.settings)
        let signals = EarlySignals()
        let access =
            try await role == .all
            ? signals.open(build.settings, logger: build.logger, log)
            : DatabaseAccess.forServing(build.settings, logger: build.logger)
        let database = access.embedded.map {
            PrivateDatabase($0, dataDirectory: build.settings.dataDirectory, logger: build.logger)
        }
        do {
            let listening = Doorbell()
            var services = try build.central(access, api: role != .worker, worker: role != .api, listening: listening)
            if let database { services.append(.init(service: database)) }
            if role == .all {
                services.append(.init(service: signals, successTerminationBehavior: .gracefullyShutdownGroup))
                services.append(.init(service: EdgeProcess(build.settings, logger: build.logger)))
            }
            if role != .worker {
                let welcome = Welcome(settings: build.settings, access: access, listening: listening)
                services.append(.init(service: welcome))
            }
            try await run(services, build.logger)
            // An edge of an earlier, killed `serve` may still run if our edge has not taken over from it yet. End it.
            if role == .all { await FolderEdges(build.settings).end(build.logger) }
        } catch {
            try? await database?.stop()
            throw error
        }
        try await database?.stop()
    }

    private func requireAddresses(_ settings: Settings) throws {
        try AddressCheck.requireDifferent(addresses(settings))
        if [.all, .api].contains(role) { try AddressCheck.requireFree(settings.address, "WAYMARK_ADDRESS") }
        if [.all, .api, .worker].contains(role) {
            try AddressCheck.requireFree(settings.metricsAddress, "WAYMARK_METRICS_ADDRESS")
        }
        guard [.all, .edge].contains(role) else { return }
        let edges = FolderEdges(settings)
        try AddressCheck.requireFree(settings.edgeAddress, "WAYMARK_EDGE_ADDRESS", besides: edges)
        try AddressCheck.requireFree(settings.edgeMetricsAddress, "WAYMARK_EDGE_METRICS_ADDRESS", besides: edges)
    }

    /// The addresses of the role's listeners, each with the name of its setting.
    private func addresses(_ settings: Settings) -> [(String, Address)] {
        let api = [("WAYMARK_ADDRESS", settings.address)]
        let metrics = [("WAYMARK_METRICS_ADDRESS", settings.metricsAddress)]
        let edge = [
            ("WAYMARK_EDGE_ADDRESS", settings.edgeAddress),
            ("WAYMARK_EDGE_METRICS_ADDRESS", settings.edgeMetricsAddress),
        ]
        return switch role {
        case .all: api + metrics + edge
        case .api: api + metrics
        case .worker: metrics
        case .edge: edge
        case .directory: []
        }
    }

    /// Checks that the program's folders exist. This runs first, because without them a new private database would be
    /// useless.
    private func requireFolders(_ settings: Settings) throws {
        for (folder, name) in [
            (settings.migrationsDirectory, "WAYMARK_MIGRATIONS_DIRECTORY"),
            (settings.publicDirectory, "WAYMARK_PUBLIC_DIRECTORY"),
            (settings.contractDirectory, "WAYMARK_CONTRACT_DIRECTORY"),
        ] {
            var isFolder = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
                throw Settings.Invalid(
                    name: name,
                    reason: "must name the folder that comes with the program: there is no folder \(folder)")
            }
        }
    }

    private func run(_ services: Build.Services, _ logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(15)
        try await ServiceGroup(configuration: configuration).run()
    }
}

extension Settings {
    /// Creates a logger for standard error: text on a terminal, otherwise JSON. Without `writer`, callers write their
    /// lines themselves.
    func logger(_ writer: LogWriter? = nil) -> Logger {
        let isForPeople = isatty(STDERR_FILENO) == 1
        return Logger(label: "waymark") {
            LogFormat(label: $0, isForPeople: isForPeople, writer: writer, logLevel: logLevel)
        }
    }

    /// Creates a logger that logs only errors, for commands.
    func quietLogger() -> Logger {
        var logger = logger()
        logger.logLevel = .error
        return logger
    }
}
