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
        let pool = PostgresPool(access.runtime, logger: logger)
        let store = Store(pool: pool)
        let listener = Listener(
            access.runtime, channels: [Store.jobsChannel, Store.liveChannel], logger: logger)
        var services: [any Service] = [pool, listener, Hints(listener: listener, jobs: jobs, live: live)]
        if worker { services.append(PublicationWorker(store: store, doorbell: jobs, logger: logger)) }
        if api { services += try application(store, access, jobs: jobs, live: live, listening: listening) }
        services.append(MetricsServer.service(at: settings.metricsAddress, metrics, logger: quiet))
        return services.map { .init(service: $0) }
    }

    private func application(
        _ store: Store, _ access: DatabaseAccess, jobs: Doorbell, live: Doorbell, listening: Doorbell
    ) throws -> [any Service] {
        let feed = SnapshotFeed(store: store, key: try settings.signingKey())
        let consumers = ConsumerCredentials(try settings.consumerSecrets())
        let api = try API(
            store: store, feed: feed, consumers: consumers, jobsDoorbell: jobs, liveDoorbell: live,
            settings: API.Settings(
                isLocal: access.isLocal, version: Waymark.version, edgeURL: "http://\(settings.edgeAddress)",
                isSecure: settings.publicURL.hasPrefix("https://"), publicDirectory: settings.publicDirectory))
        let application = Application(
            router: api.buildRouter(logger: logger),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    idleTimeout: .seconds(65),
                    httpDecoderConfiguration: .init(maxHeaderFieldSize: 16_384, maxHeaderListSize: 16_384))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port)),
            onServerRunning: { _ in listening.ring() }, logger: quiet)
        return [application, keysOfAPI(feed, consumers)]
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
        let (follower, keys) = try await withSource { source in
            let follower = SnapshotFollower(
                source: source, directory: try SnapshotDirectory(path: settings.stateDirectory + "/edge"),
                trusted: try settings.trustedKeys(), consumer: table, logger: logger)
            return (follower, keysOfConsumer(follower, source))
        }
        let takeover = Takeover(path: settings.stateDirectory + "/edge/pid")
        let edge = Edge(
            configuration: Edge.Configuration(
                host: settings.edgeAddress.host, port: settings.edgeAddress.port,
                health: Edge.HealthAddress(
                    host: settings.edgeMetricsAddress.host, port: settings.edgeMetricsAddress.port),
                maximumConnections: settings.edgeConnections,
                trustedProxies: proxies),
            table: table, follower: follower, metrics: metrics.text, logger: logger,
            listening: { _ in takeover.takeOver() })
        return [.init(service: follower), .init(service: keys), .init(service: edge)]
    }

    /// The keeper of a directory for nginx and the like.
    func directory() async throws -> Services {
        guard let root = settings.directoryRoot else {
            throw Settings.Invalid(
                name: "WAYMARK_DIRECTORY_ROOT", reason: "has to name the folder in which the files are laid out")
        }
        let (keeper, keys) = try await withSource { source in
            let keeper = try DirectoryKeeper(
                configuration: DirectoryKeeper.Configuration(root: root), source: source,
                trusted: settings.trustedKeys(), logger: logger)
            return (keeper, keysOfConsumer(keeper.follower, source))
        }
        return [.init(service: keeper), .init(service: keys)]
    }

    private func keysOfConsumer(_ follower: SnapshotFollower, _ source: HTTPSnapshotSource) -> FileWatch {
        let settings = settings
        return FileWatch(paths: [settings.snapshotKeyFile, settings.consumerSecretFile], logger: logger) {
            await follower.trust(try settings.trustedKeys())
            source.show(credential: try settings.shownConsumerSecret().text)
        }
    }

    /// Makes what follows a source of the snapshot; where that fails, the source is closed.
    private func withSource<Follower>(_ make: (HTTPSnapshotSource) throws -> Follower) async throws -> Follower {
        let source = HTTPSnapshotSource(
            baseURL: settings.snapshotURL, credential: try settings.shownConsumerSecret().text)
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
