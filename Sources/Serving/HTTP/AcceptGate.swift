internal import NIOCore

/// Stops accepting connections while too many are open. Further connections wait in the system's queue.
///
/// A few connections above the limit are accepted, get an error response, and are closed. Their number is limited too,
/// because they use file descriptors until they are closed. If the process ran out of descriptors, its runtime would
/// crash (libdispatch reads `/proc`).
final class AcceptGate: ChannelOutboundHandler {
    typealias OutboundIn = Any
    /// The maximum number of connections above the limit.
    private static let maximum = 64
    private static let pause = TimeAmount.milliseconds(50)

    private let connections: Connections
    private var isWaiting = false

    init(_ connections: Connections) { self.connections = connections }

    func read(context: ChannelHandlerContext) {
        guard !isWaiting else { return }
        guard connections.excess >= Self.maximum else { return context.read() }
        isWaiting = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            isWaiting = false
            read(context: context)
        }
    }
}
