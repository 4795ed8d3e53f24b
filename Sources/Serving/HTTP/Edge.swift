public import Logging
public import NIOCore
public import NIOPosix
public import ServiceLifecycle

/// The serving process: answers for the association files of every host, from memory, to the serving contract.
///
/// HTTP/1.1 as SwiftNIO parses it, for a place behind nginx, Caddy or a load balancer. It never reads a file or waits for
/// anything while it answers.
public struct Edge: Service {
    private let configuration: Configuration
    private let table: LiveTable
    private let prepare: @Sendable () async throws -> Void
    private let renderMetrics: @Sendable () -> String
    private let fetches: FetchLog
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger
    private let takeOver: @Sendable () async -> Void
    private let letGo: @Sendable () -> Void
    private let listening: @Sendable (Listening) -> Void

    /// Where an edge turned out to listen, of interest where a port of 0 was asked for.
    public struct Listening: Sendable {
        /// For the files.
        public let edge: SocketAddress
        /// For health and metrics.
        public let health: SocketAddress?
    }

    /// An edge that serves what `follower` keeps in `table`.
    ///
    /// - Parameters:
    ///   - table: must be the consumer that the follower was made with.
    ///   - follower: reads the last known good from the disk before the edge listens. Runs as a service of its own.
    ///   - fetches: what the event loops count is collected by it.
    ///   - metrics: renders the text of `/metrics`.
    ///   - takeOver: called once both listeners are open; connections wait until it returns. Cancelled when the service
    ///     group shuts down meanwhile: then none is accepted.
    ///   - letGo: called when no further connection is accepted.
    ///   - listening: called when connections are accepted.
    public init(
        configuration: Configuration, table: LiveTable, follower: SnapshotFollower,
        fetches: FetchLog = FetchLog(), eventLoopGroup: MultiThreadedEventLoopGroup = .singleton,
        metrics: @escaping @Sendable () -> String = { "" }, logger: Logger,
        takeOver: @escaping @Sendable () async -> Void = {}, letGo: @escaping @Sendable () -> Void = {},
        listening: @escaping @Sendable (Listening) -> Void = { _ in }
    ) {
        self.init(
            configuration: configuration, table: table, prepare: { await follower.start() },
            fetches: fetches, eventLoopGroup: eventLoopGroup, metrics: metrics, logger: logger, takeOver: takeOver,
            letGo: letGo, listening: listening)
    }

    /// An edge over a table that somebody else fills; `prepare` runs before it listens.
    public init(
        configuration: Configuration, table: LiveTable, prepare: @escaping @Sendable () async throws -> Void = {},
        fetches: FetchLog = FetchLog(), eventLoopGroup: MultiThreadedEventLoopGroup = .singleton,
        metrics: @escaping @Sendable () -> String = { "" }, logger: Logger,
        takeOver: @escaping @Sendable () async -> Void = {}, letGo: @escaping @Sendable () -> Void = {},
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
        self.letGo = letGo
        self.listening = listening
    }

    /// Serves until the service group shuts down: then it stops accepting, finishes, and ends after at most
    /// `Limits.shutdownTime`.
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
        letGo()
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
