public import Logging
public import NIOCore
public import NIOPosix
public import ServiceLifecycle

/// Serves the association files of all hosts from memory, as the serving contract requires.
///
/// It uses HTTP/1.1 with SwiftNIO's parser. It runs behind nginx, Caddy or a load balancer. It never reads a file or
/// waits while it computes a response.
public struct Edge: Service {
    private let configuration: Configuration
    private let table: LiveTable
    private let prepare: @Sendable () async throws -> Void
    private let renderMetrics: @Sendable () -> String
    private let fetches: FetchLog
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger
    private let takeOver: @Sendable () async -> Void
    private let release: @Sendable () -> Void
    private let listening: @Sendable (Listening) -> Void

    /// The addresses of a listening edge, for callers that requested port 0.
    public struct Listening: Sendable {
        /// The address for files.
        public let edge: SocketAddress
        /// The address for health and metrics.
        public let health: SocketAddress?
    }

    /// Creates an edge that serves `table`. `follower` keeps the table up to date.
    ///
    /// - Parameters:
    ///   - table: The table to serve. Pass the same table to the follower as its consumer.
    ///   - follower: The follower. It reads the last good snapshot from the disk before the edge listens. It runs as a
    ///     separate service.
    ///   - fetches: Collects the fetches that the event loops have counted.
    ///   - metrics: Returns the text of `/metrics`.
    ///   - takeOver: Called when both listeners are open. Connections wait until it returns. If the service group shuts
    ///     down meanwhile, this call is cancelled, and no connection is accepted.
    ///   - release: Called when the edge accepts no more connections.
    ///   - listening: Called when the edge begins to accept connections.
    public init(
        configuration: Configuration, table: LiveTable, follower: SnapshotFollower,
        fetches: FetchLog = FetchLog(), eventLoopGroup: MultiThreadedEventLoopGroup = .singleton,
        metrics: @escaping @Sendable () -> String = { "" }, logger: Logger,
        takeOver: @escaping @Sendable () async -> Void = {}, release: @escaping @Sendable () -> Void = {},
        listening: @escaping @Sendable (Listening) -> Void = { _ in }
    ) {
        self.init(
            configuration: configuration, table: table, prepare: { await follower.start() },
            fetches: fetches, eventLoopGroup: eventLoopGroup, metrics: metrics, logger: logger, takeOver: takeOver,
            release: release, listening: listening)
    }

    /// Creates an edge for a table that the caller fills. `prepare` runs before the edge listens.
    public init(
        configuration: Configuration, table: LiveTable, prepare: @escaping @Sendable () async throws -> Void = {},
        fetches: FetchLog = FetchLog(), eventLoopGroup: MultiThreadedEventLoopGroup = .singleton,
        metrics: @escaping @Sendable () -> String = { "" }, logger: Logger,
        takeOver: @escaping @Sendable () async -> Void = {}, release: @escaping @Sendable () -> Void = {},
        listening: @escaping @Sendable (Listening) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.table = table
        self.prepare = prepare
        self.fetches = fetches
        renderMetrics = metrics
        group = eventLoopGroup
        self.logger = logger
        self.takeOver = takeOver
        self.release = release
        self.listening = listening
    }

    /// Serves until the service group shuts down. Then it stops accepting connections and finishes its work, which
    /// takes `Limits.shutdownTime` at most.
    public func run() async throws {
        try await prepare()
        let metrics = EdgeMetrics()
        let connections = Connections(limit: configuration.maximumConnections, metrics: metrics)
        let loops = EdgeListener(
            configuration: configuration, table: table, connections: connections, metrics: metrics, group: group)
        fetches.attach(loops.counts)
        let edge = try await loops.bind()
        let health: (any Channel)?
        do {
            health = try await HealthListener(table: table, renderMetrics: renderMetrics, group: group)
                .bind(configuration.health)
        } catch {
            try? await edge.close()
            throw error
        }
        await cancelWhenGracefulShutdown { await takeOver() }
        if !Task.isShuttingDownGracefully { try await edge.setOption(.autoRead, value: true).get() }
        logger.info(
            "edge listening",
            metadata: ["address": "\(Self.text(edge))", "health": "\(health.map(Self.text) ?? "none")"])
        if let address = edge.localAddress { listening(Listening(edge: address, health: health?.localAddress)) }
        try? await gracefulShutdown()
        logger.info("edge stopping", metadata: ["connections": "\(connections.count)"])
        try? await edge.close()
        release()
        connections.quiesce()
        await finish(connections)
        try? await health?.close()
        logger.info("edge stopped")
    }

    private func finish(_ connections: Connections) async {
        let end = NIODeadline.now() + configuration.limits.shutdownTime
        while connections.count > 0, NIODeadline.now() < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
        connections.closeAll()
    }

    private static func text(_ channel: any Channel) -> String { channel.localAddress?.description ?? "unknown" }
}
