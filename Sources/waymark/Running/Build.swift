import Foundation
import HTTPAPI
import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import Postgres
import Publishing
import ServiceLifecycle
import Serving
import Snapshot
import Storage

/// Wires each role of `serve` together. Whoever starts the program and whoever tests it call the same functions.
struct Build: Sendable {
    let settings: Settings
    let metrics: MetricsRegistry
    let logger: Logger

    /// What runs beside each other; they are shut down from the last to the first.
    typealias Services = [ServiceGroupConfiguration.ServiceConfiguration]

    /// The API with the dashboard, and the worker, over one pool.
    func central(
        _ access: DatabaseAccess, api: Bool, worker: Bool, listening: Doorbell
    ) throws -> Services {
        let jobs = Doorbell()
        let live = Doorbell()
        let feed = Doorbell()
        let pool = PostgresPool(access.runtime, logger: logger)
        let store = Store(pool: pool)
        let listener = Listener(
            access.runtime, channels: [Store.jobsChannel, Store.liveChannel], logger: logger)
        var services: [any Service] = [pool, listener, Hints(listener: listener, jobs: jobs, live: [live, feed])]
        if worker { services.append(self.worker(store, jobs)) }
        if api {
            services += try application(store, access, jobs: jobs, live: live, feed: feed, listening: listening)
        }
        services.append(MetricsServer.service(at: settings.metricsAddress, metrics, logger: quiet))
        return services.map { .init(service: $0) }
    }

    private func worker(_ store: Store, _ jobs: Doorbell) -> JobWorker {
        JobWorker(
            store: store,
            carriers: [
                .publish: PublicationCarrier(store: store, logger: logger),
                .withdraw: WithdrawalCarrier(store: store, logger: logger),
                .release: ReleaseCarrier(store: store, logger: logger),
                .replace: ReplacementCarrier(store: store, logger: logger),
            ], doorbell: jobs, logger: logger)
    }

    private func application(
        _ store: Store, _ access: DatabaseAccess, jobs: Doorbell, live: Doorbell, feed doorbell: Doorbell,
        listening: Doorbell
    ) throws -> [any Service] {
        let feed = SnapshotFeed(store: store, key: try settings.signingKey(), doorbell: doorbell)
        let consumers = ConsumerCredentials(try settings.consumerSecrets())
        let api = try API(
            store: store, feed: feed, consumers: consumers, jobsDoorbell: jobs, liveDoorbell: live,
            settings: API.Settings(
                isLocal: access.isLocal, version: Waymark.version, edgeURL: "http://\(settings.edgeAddress)",
                edgePublicURL: settings.edgePublicURL, isSecure: settings.publicURL.hasPrefix("https://"),
                publicDirectory: settings.publicDirectory))
        let application = Application(
            router: api.buildRouter(logger: logger),
            server: .continuing(
                HTTP1Channel.Configuration(
                    additionalChannelHandlers: [SlowClientHandler()],
                    httpDecoderConfiguration: .init(maxHeaderFieldSize: 16_384, maxHeaderListSize: 16_384))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port), backlog: 4096,
                availableConnectionsDelegate: .maximum(
                    OpenFiles.connections(Self.apiConnections, logger: logger), logger: quiet)),
            onServerRunning: { listener in
                await Self.outliveLackOfFiles(listener)
                listening.ring()
            }, logger: quiet)
        return [application, keysOfAPI(feed, consumers)]
    }

    /// Connections to the API at once; more wait until there is room.
    private static let apiConnections = 10_000

    /// Without file descriptors left, a listener waits a moment before it accepts again, and goes on.
    static func outliveLackOfFiles(_ listener: any Channel) async {
        try? await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(
                AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { _ in .milliseconds(100) }, position: .first)
        }.get()
    }

    private func keysOfAPI(_ feed: SnapshotFeed, _ consumers: ConsumerCredentials) -> FileWatch {
        let settings = settings
        return FileWatch(paths: [settings.signingKeyFile, settings.consumerSecretFile], logger: logger) {
            await feed.sign(with: try settings.signingKey())
            consumers.replace(by: try settings.consumerSecrets())
        }
    }

    /// The edge: no database, no API; the snapshot alone.
    func edge() async throws -> Services {
        let table = LiveTable()
        let proxies = try proxies()
        let credential = ConsumerCredential(try settings.shownConsumerSecret().text)
        let follower = try await withSource(credential) { source in
            SnapshotFollower(
                source: source,
                directory: try SnapshotDirectory(
                    path: settings.stateDirectory + "/edge", faults: ProcessFault.whileWriting),
                trusted: try settings.trustedKeys(), consumer: table, logger: logger)
        }
        let fetches = FetchLog()
        let takeover = Takeover(path: settings.stateDirectory + "/edge/pid")
        let edge = Edge(
            configuration: Edge.Configuration(
                host: settings.edgeAddress.host, port: settings.edgeAddress.port,
                health: Edge.HealthAddress(
                    host: settings.edgeMetricsAddress.host, port: settings.edgeMetricsAddress.port),
                maximumConnections: OpenFiles.connections(settings.edgeConnections, logger: logger),
                trustedProxies: proxies),
            table: table, follower: follower, fetches: fetches, metrics: metrics.text, logger: logger,
            listening: { _ in takeover.takeOver() })
        let services: [any Service] = [
            follower, keysOfConsumer(follower, credential), reporter(.edge, of: follower, fetches, credential), edge,
        ]
        return services.map { .init(service: $0) }
    }

    /// The keeper of a directory for nginx and the like.
    func directory() async throws -> Services {
        guard let root = settings.directoryRoot else {
            throw Settings.Invalid(
                name: "WAYMARK_DIRECTORY_ROOT", reason: "has to name the folder in which the files are laid out")
        }
        let credential = ConsumerCredential(try settings.shownConsumerSecret().text)
        let keeper = try await withSource(credential) { source in
            try DirectoryKeeper(
                configuration: DirectoryKeeper.Configuration(root: root), source: source,
                trusted: settings.trustedKeys(), logger: logger, faults: ProcessFault.whileWriting)
        }
        let services: [any Service] = [
            keysOfConsumer(keeper.follower, credential), reporter(.directory, of: keeper.follower, nil, credential),
            keeper,
        ]
        return services.map { .init(service: $0) }
    }

    private func keysOfConsumer(_ follower: SnapshotFollower, _ credential: ConsumerCredential) -> FileWatch {
        let settings = settings
        return FileWatch(paths: [settings.snapshotKeyFile, settings.consumerSecretFile], logger: logger) {
            await follower.trust(try settings.trustedKeys())
            credential.replace(by: try settings.shownConsumerSecret().text)
        }
    }

    /// What tells the API how far a consumer has got.
    private func reporter(
        _ kind: Reporter.Kind, of follower: SnapshotFollower, _ fetches: FetchLog?, _ credential: ConsumerCredential
    ) -> Reporter {
        Reporter(
            consumer: settings.consumerName ?? "\(ProcessInfo.processInfo.hostName)-\(kind.rawValue)", kind: kind,
            follower: follower, fetches: fetches, baseURL: settings.snapshotURL,
            credential: credential, logger: logger)
    }

    /// Makes what follows a source of the snapshot; where that fails, the source is closed.
    private func withSource<Follower>(
        _ credential: ConsumerCredential, _ make: (HTTPSnapshotSource) throws -> Follower
    ) async throws -> Follower {
        let source = HTTPSnapshotSource(baseURL: settings.snapshotURL, credential: credential)
        do {
            return try make(source)
        } catch {
            await source.close()
            throw error
        }
    }

    private func proxies() throws -> ProxyList {
        guard let proxies = ProxyList(settings.trustedProxies) else {
            throw Settings.Invalid(
                name: "WAYMARK_TRUSTED_PROXIES", reason: "has to be IP addresses or networks, separated by commas")
        }
        return proxies
    }

    /// Hummingbird's own words are for debugging: every request has its line already.
    private var quiet: Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}
