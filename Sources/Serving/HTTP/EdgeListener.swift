internal import Glibc
internal import Metrics
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Opens the edge's socket and adds the handlers to every connection.
struct EdgeListener: Sendable {
    private let configuration: Edge.Configuration
    private let connections: Connections
    private let group: MultiThreadedEventLoopGroup
    /// The state that the connections of an event loop share, by event loop.
    private let loops: [ObjectIdentifier: NIOLoopBoundBox<EdgeLoop>]

    /// The state of each event loop. It contains the loop's counts.
    var counts: [NIOLoopBoundBox<EdgeLoop>] { Array(loops.values) }

    init(
        configuration: Edge.Configuration, table: LiveTable, connections: Connections, metrics: EdgeMetrics,
        group: MultiThreadedEventLoopGroup
    ) {
        self.configuration = configuration
        self.connections = connections
        self.group = group
        var loops: [ObjectIdentifier: NIOLoopBoundBox<EdgeLoop>] = [:]
        for eventLoop in group.makeIterator() {
            let loop = EdgeLoop(
                table: table, responder: WellKnownResponder(proxies: configuration.trustedProxies),
                limits: configuration.limits, metrics: metrics, eventLoop: eventLoop)
            let box = NIOLoopBoundBox.makeBoxSendingValue(loop, eventLoop: eventLoop)
            loops[ObjectIdentifier(eventLoop)] = box
            // Update the loop's table now. Otherwise a loop without requests would keep the previous table in memory.
            table.onChange { [weak box] in eventLoop.execute { [box] in _ = box?.value.currentTable } }
        }
        self.loops = loops
    }

    /// Opens the socket. The channel accepts connections only after a `read`.
    func bind() async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: configuration.backlog)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // A new edge can then listen on the same port before the old one has exited.
            .serverChannelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
            // If no file descriptors are left, wait before accepting again.
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptBackoffHandler(backoffProvider: { _ in .milliseconds(100) }))
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(connections))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: SlowReaderHandler.sendBuffer)
            // A client may close its sending side after the request and still read the response.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel) }
            }
            .bind(host: configuration.host, port: configuration.port)
            .get()
    }

    private func addHandlers(to channel: any Channel) throws {
        guard let loop = loops[ObjectIdentifier(channel.eventLoop)]?.value else { return }
        var limits = NIOHTTPDecoderLimitConfiguration()
        // SwiftNIO's limit for one header field or the URL. For shorter ones, the responder reports a long URL or a
        // long head.
        limits.maxHeaderFieldSize = WellKnownResponder.largestHead
        limits.maxHeaderListSize = WellKnownResponder.largestHead + WellKnownResponder.longestURL
        limits.maxHeaderFieldCount = 128
        let admitted = connections.admit(channel)
        var reading = SlowReaderHandler.Limits()
        reading.time = configuration.limits.takingTime
        reading.bytes = configuration.limits.leastTaken
        try channel.pipeline.syncOperations.addHandlers([
            SlowReaderHandler(limits: reading) { [expired = loop.metrics.expired] in expired.increment() },
            BackPressureHandler(), ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)),
            EdgeHandler(loop: loop, admitted: admitted),
        ])
    }
}
