import Foundation
import HTTPAPI
import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import NIOConcurrencyHelpers
import NIOCore
import ObjectStore
import Postgres
import Publishing
import ServiceLifecycle
import Serving
import Snapshot
import Storage

/// Creates and connects the services of each role of `serve`.
struct Build: Sendable {
    let settings: Settings
    let metrics: MetricsRegistry
    let logger: Logger

    /// Services that run at the same time. They are shut down in reverse order of the list.
    typealias Services = [ServiceGroupConfiguration.ServiceConfiguration]

    /// The services of the API with the dashboard, and of the worker. They share one pool.
    func central(
        _ access: DatabaseAccess, api: Bool, worker: Bool, listening: Doorbell
    ) throws -> Services {
        let jobs = Doorbell()
        let live = Doorbell()
        let feed = Doorbell()
        let events = Doorbell()
        let pool = PostgresPool(access.runtime, logger: logger)
        let store = Store(pool: pool)
        let listener = Listener(
            access.runtime, channels: [Store.jobsChannel, Store.liveChannel, Store.accessChannel], logger: logger)
        let buckets = worker ? try self.buckets(store) : []
        let callers = CallerMemory()
        let hints = Hints(
            listener: listener, jobs: [jobs, events], live: [live, feed, events] + buckets.map(\.doorbell),
            callers: callers)
        var services: [any Service] = [pool, listener, hints, JobDelay(store: store, logger: logger)]
        if worker {
            // Every change creates an event. So when events are placed, the checker can find drafts that may have
            // changed.
            let checker = DraftChecker(store: store, logger: logger)
            services += [
                self.worker(store, jobs), EventPlacer(store: store, logger: logger, placed: checker.note), checker,
                IdempotencyCleaner(store: store, logger: logger),
                MailSender(
                    store: store, server: try settings.mail?.server(), dashboard: settings.publicURL, logger: logger),
            ]
            services += buckets.flatMap(\.services)
        }
        if api {
            services += try application(
                store, access, callers, jobs: jobs, live: live, feed: feed, events: events, listening: listening)
        }
        services.append(MetricsServer.service(at: settings.metricsAddress, metrics, logger: quiet))
        return services.map { .init(service: $0) }
    }

    private func worker(_ store: Store, _ jobs: Doorbell) -> JobWorker {
        JobWorker(
            store: store,
            handlers: [
                .publish: PublicationHandler(store: store, logger: logger),
                .withdraw: WithdrawalHandler(store: store, logger: logger),
                .schedule: ScheduleHandler(store: store, logger: logger),
                .run: RunHandler(store: store, logger: logger),
                .release: ReleaseHandler(store: store, logger: logger),
                .replace: ReplacementHandler(store: store, logger: logger),
                .freeze: FreezeHandler(store: store),
                .delete: DeletionHandler(store: store, logger: logger),
            ], doorbell: jobs, logger: logger, threads: WorkThreads(count: System.coreCount))
    }

    /// The services that push to each bucket, and the doorbells that wake them.
    private func buckets(_ store: Store) throws -> [(doorbell: Doorbell, services: [any Service])] {
        guard let file = settings.bucketsFile else { return [] }
        let environment = ProcessInfo.processInfo.environment
        // Read all credentials before a client is created, because an error would leave the client open.
        let buckets = try BucketsFile(path: file).entries.map { entry in
            (entry, NIOLockedValueBox(try entry.credentials(environment: environment)))
        }
        return buckets.map { entry, credentials in
            let doorbell = Doorbell()
            let target = PushedBucket(
                name: entry.name, address: "\(entry.address.url)/\(entry.prefix)",
                bucket: Bucket(entry.address, connections: BucketPusher.connections) {
                    credentials.withLockedValue { $0 }
                }, prefix: entry.prefix,
                cacheControl: LiveTable.CacheControl().field, comparisonSeconds: entry.comparisonSeconds)
            var services: [any Service] = [
                BucketPusher(store: store, target: target, doorbell: doorbell, logger: logger)
            ]
            if let path = entry.credentialsFile {
                services.append(
                    FileWatch(paths: [path], logger: logger) {
                        let exchanged = try entry.credentials(environment: environment)
                        credentials.withLockedValue { $0 = exchanged }
                    })
            }
            return (doorbell, services)
        }
    }

    private func application(
        _ store: Store, _ access: DatabaseAccess, _ callers: CallerMemory, jobs: Doorbell, live: Doorbell,
        feed doorbell: Doorbell, events: Doorbell, listening: Doorbell
    ) throws -> [any Service] {
        let feed = SnapshotFeed(store: store, key: try settings.signingKey(), doorbell: doorbell)
        let sealer = AuditSealer(store: store, key: try settings.signingKey(), logger: logger)
        let consumers = ConsumerCredentials(try settings.consumerSecrets())
        let api = try API(
            store: store, feed: feed, events: EventFeed(store: store, doorbell: events), sealer: sealer,
            consumers: consumers,
            callers: callers, jobsDoorbell: jobs, liveDoorbell: live,
            settings: API.Settings(
                isLocal: access.isLocal, version: Waymark.version, edgeURL: "http://\(settings.edgeAddress)",
                edgePublicURL: settings.edgePublicURL, publicOrigin: settings.publicOrigin,
                publicDirectory: settings.publicDirectory, contractDirectory: settings.contractDirectory,
                concurrentRequests: settings.databaseConnections,
                allowsLoopbackIssuers: settings.allowsLoopbackIssuers, sendsMail: settings.mail != nil,
                organizationCreation: settings.organizationCreation, allowedOrigins: settings.allowedOrigins,
                rates: settings.rates,
                client: { [proxies = try proxies()] in proxies.client(of: $0, forwardedFor: $1) }))
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
                await Self.waitForDescriptors(listener)
                listening.ring()
            }, logger: quiet)
        return [application, sealer, keysOfAPI(feed, sealer, consumers), api.rateExchange(logger: logger)]
    }

    /// The maximum number of concurrent connections to the API. Further connections wait.
    private static let apiConnections = 10_000

    /// Makes a listener wait if no file descriptors are left. Without this, it would end.
    static func waitForDescriptors(_ listener: any Channel) async {
        try? await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(
                AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { _ in .milliseconds(100) }, position: .first)
        }.get()
    }

    private func keysOfAPI(
        _ feed: SnapshotFeed, _ sealer: AuditSealer, _ consumers: ConsumerCredentials
    ) -> FileWatch {
        let settings = settings
        return FileWatch(paths: [settings.signingKeyFile, settings.consumerSecretFile], logger: logger) {
            let key = try settings.signingKey()
            await feed.sign(with: key)
            sealer.sign(with: key)
            consumers.replace(by: try settings.consumerSecrets())
        }
    }

    /// The services of the edge. They use only the snapshot, no database.
    func edge() async throws -> Services {
        let table = LiveTable()
        let proxies = try proxies()
        let upstream = try upstream()
        let follower = try await withSource(upstream) { source in
            SnapshotFollower(
                source: source,
                directory: try SnapshotDirectory(
                    path: settings.edgeFolder, faults: ProcessFault.whileWriting),
                trusted: try settings.trustedKeys(), consumer: table, logger: logger)
        }
        let fetches = FetchLog()
        let takeover = try Takeover(path: settings.edgeProcessFile, logger: logger)
        let edge = Edge(
            configuration: Edge.Configuration(
                host: settings.edgeAddress.host, port: settings.edgeAddress.port,
                health: Edge.HealthAddress(
                    host: settings.edgeMetricsAddress.host, port: settings.edgeMetricsAddress.port),
                maximumConnections: OpenFiles.connections(settings.edgeConnections, logger: logger),
                trustedProxies: proxies),
            table: table, follower: follower, fetches: fetches, metrics: metrics.text, logger: logger,
            takeOver: { await takeover.takeOver { await follower.readAgain() } }, release: { takeover.release() })
        // Stop the follower before the edge, so that the edge's last table is the one on the disk.
        let services = beside(follower, .edge, fetches, upstream) + [edge, FollowingEdge(follower, after: takeover)]
        return services.map { .init(service: $0) }
    }

    /// The services that write a directory for nginx or another web server.
    func directory() async throws -> Services {
        guard let root = settings.directoryRoot else {
            throw Settings.Invalid(
                name: "WAYMARK_DIRECTORY_ROOT", reason: "must name the folder to write the files to")
        }
        let upstream = try upstream()
        let writer = try await withSource(upstream) { source in
            try DirectoryWriter(
                configuration: DirectoryWriter.Configuration(root: root), source: source,
                trusted: settings.trustedKeys(), logger: logger, faults: ProcessFault.whileWriting)
        }
        let services: [any Service] = beside(writer.follower, .directory, nil, upstream) + [writer]
        return services.map { .init(service: $0) }
    }

    /// The source of a consumer's snapshots.
    private enum Upstream {
        case api(ConsumerCredential)
        /// The folder of another consumer. It needs no credential, and reports cannot be sent to it.
        case folder(String)
    }

    private func upstream() throws -> Upstream {
        if let folder = settings.snapshotFolder { return .folder(folder) }
        return .api(ConsumerCredential(try settings.shownConsumerSecret().text))
    }

    /// The services that run with a follower. One applies changed keys, and the other reports the consumer's progress
    /// to the API.
    private func beside(
        _ follower: SnapshotFollower, _ kind: Reporter.Kind, _ fetches: FetchLog?, _ upstream: Upstream
    ) -> [any Service] {
        let settings = settings
        switch upstream {
        case .folder:
            return [
                FileWatch(paths: [settings.snapshotKeyFile], logger: logger) {
                    await follower.trust(try settings.trustedKeys())
                }
            ]
        case .api(let credential):
            let keys = FileWatch(paths: [settings.snapshotKeyFile, settings.consumerSecretFile], logger: logger) {
                await follower.trust(try settings.trustedKeys())
                credential.replace(by: try settings.shownConsumerSecret().text)
            }
            let reporter = Reporter(
                consumer: settings.consumerName ?? "\(ProcessInfo.processInfo.hostName)-\(kind.rawValue)", kind: kind,
                follower: follower, fetches: fetches, baseURL: settings.snapshotURL, credential: credential,
                logger: logger)
            return [keys, reporter]
        }
    }

    /// Calls `make` with a snapshot source. Closes the source if `make` fails.
    private func withSource<Follower>(
        _ upstream: Upstream, _ make: (any SnapshotSource) throws -> Follower
    ) async throws -> Follower {
        let source: any SnapshotSource =
            switch upstream {
            case .api(let credential): HTTPSnapshotSource(baseURL: settings.snapshotURL, credential: credential)
            case .folder(let folder): DirectorySnapshotSource(path: folder)
            }
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
                name: "WAYMARK_TRUSTED_PROXIES", reason: "must be IP addresses or networks, separated by commas")
        }
        return proxies
    }

    /// A logger for Hummingbird that omits its information messages, because every request already has a log line.
    private var quiet: Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}
